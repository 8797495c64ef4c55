/** Texts of the frame around all screens. */
export const frame = {
  title: 'coreiso',
  claim: 'Customise CoreOS live images. Everything happens in this tab; nothing is sent anywhere.',
  skip: 'Skip to the documents',
  tasks: {
    label: 'What to build',
    nodes: 'Add nodes',
    cluster: 'New cluster',
    live: 'Any live image',
  },
  taskHints: {
    nodes: 'Hosts that join a cluster you have, from one nodes-config.',
    cluster: 'The image that installs a new cluster, from install-config and agent-config.',
    live: 'A network state and an Ignition config, embedded into a live image.',
  },
  sections: {
    image: 'Image',
    documents: 'Documents',
    look: 'Look',
    save: 'Save',
  },
  command: 'The same on the command line',
  copy: 'Copy',
  copied: 'Copied',
  working: 'Working…',
} as const;
