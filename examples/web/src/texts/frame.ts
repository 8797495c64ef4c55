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
    nodes: 'Add hosts to a cluster you have, from one nodes-config.',
    cluster: 'Install a new cluster, from install-config and agent-config.',
    live: 'Embed a network state and an Ignition config into any live image.',
  },
  sections: {
    image: 'Image',
    documents: 'Documents',
    look: 'Preview',
    save: 'Save',
  },
  command: 'The same on the command line',
  copy: 'Copy',
  copied: 'Copied',
  working: 'Working…',
} as const;
