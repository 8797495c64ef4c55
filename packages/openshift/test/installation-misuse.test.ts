import {
  imageFacts,
  imageFiles,
  makeManifests,
  parseInstallConfig,
  parseInstallFiles,
  planCluster,
  readDirectory,
  readRegistries,
  renderManifests,
  topologyOf,
} from '@coreiso/nodes-config';
import {
  adminKubeconfig,
  agentConfigOf,
  agentStateOf,
  buildAgentImage,
  buildConfigImage,
  editedFiles,
  imageState,
  makeCredentials,
  readSite,
  rememberedSources,
  signerKeyOf,
  unconfiguredConfigOf,
} from '@coreiso/openshift';
import { expect, test } from 'vitest';

const BASE = { read() {} };
const SITE = { directory: { clusterInstall: {} } };
const CREDENTIALS = { signers: {}, tokens: {} };
const PARSED = { installConfig: { values: {} }, agentConfig: {} };
const ofParsed = (name: string): string => `${name} must be what parseInstallFiles returns as its value`;
const IS_TEXT = 'must be a text that is not empty';
const OF_CREDENTIALS = 'credentials must be what makeCredentials returns';
const OF_SITE = 'site must be what readSite returns as its value';
const OF_DIRECTORY = 'directory must be what readDirectory returns as its value';

/** Invalid arguments of callers without types, and the messages. */
const WRONG: readonly (readonly [called: (...args: never[]) => unknown, args: readonly unknown[], told: string])[] = [
  [adminKubeconfig, [undefined, {}], OF_CREDENTIALS],
  [adminKubeconfig, [{ signers: {} }, {}], OF_CREDENTIALS],
  [adminKubeconfig, [{ tokens: {} }, {}], OF_CREDENTIALS],
  [adminKubeconfig, [CREDENTIALS, null], 'cluster must be an object, not null'],
  [adminKubeconfig, [CREDENTIALS, { baseDomain: 'a' }], 'cluster.name must be a string, not undefined'],
  [adminKubeconfig, [CREDENTIALS, { name: 'a' }], 'cluster.baseDomain must be a string, not undefined'],
  [buildConfigImage, [undefined, CREDENTIALS], OF_SITE],
  [buildConfigImage, [SITE, {}], OF_CREDENTIALS],
  [unconfiguredConfigOf, [null, {}, CREDENTIALS], 'site must be an object, not null'],
  [unconfiguredConfigOf, [{}, {}, CREDENTIALS], 'site.files must be an array, not undefined'],
  [unconfiguredConfigOf, [{ files: [] }, null, CREDENTIALS], 'release must be an object, not null'],
  [unconfiguredConfigOf, [{ files: [] }, {}, {}], OF_CREDENTIALS],
  [unconfiguredConfigOf, [{ files: [] }, {}, CREDENTIALS, null], 'options must be an object, not null'],
  [
    unconfiguredConfigOf,
    [{ files: [] }, {}, CREDENTIALS, { configuredBy: 'x' }],
    'configuredBy must be config-image or person, not x',
  ],
  [makeCredentials, [undefined], 'options must be an object, not undefined'],
  [makeCredentials, [{}], 'clock must be a function that returns a Date'],
  [planCluster, [undefined], 'source must be an object, not undefined'],
  [readDirectory, [null, {}], 'files must be an object, not null'],
  [readDirectory, [{}, null], 'options must be an object, not null'],
  [readDirectory, [{}, {}], 'options.release must be an object, not undefined'],
  [makeManifests, [null, {}], 'files must be an object, not null'],
  [makeManifests, [{}, {}], 'options.release must be an object, not undefined'],
  [readRegistries, [7], 'text must be a string, not a number'],
  [imageFacts, [{}, {}], OF_DIRECTORY],
  [imageFacts, [undefined, {}], OF_DIRECTORY],
  [imageFacts, [SITE.directory, null], 'release must be an object, not null'],
  [imageFiles, [undefined], OF_DIRECTORY],
  [readSite, [null], 'sources must be an object, not null'],
  [readSite, [{ installConfig: 7 }], 'installConfig must be a string or a Uint8Array, not a number'],
  [readSite, [{ installConfig: Uint8Array.of(0xff, 0x41) }], 'installConfig must be text'],
  [readSite, [{ installConfig: '', agentConfig: 7 }], 'agentConfig must be a string or a Uint8Array, not a number'],
  [imageState, [null, SITE, CREDENTIALS], 'files must be an object, not null'],
  [imageState, [{}, {}, CREDENTIALS], OF_SITE],
  [imageState, [{}, SITE, {}], OF_CREDENTIALS],
  [signerKeyOf, [undefined], OF_SITE],
  [agentConfigOf, [{}, CREDENTIALS], OF_SITE],
  [buildAgentImage, [null, SITE, CREDENTIALS], 'base must be a ByteSource or an open LiveImage'],
  [buildAgentImage, ['live.iso', SITE, CREDENTIALS], 'base must be a ByteSource or an open LiveImage'],
  [buildAgentImage, [{}, SITE, CREDENTIALS], 'base must be a ByteSource or an open LiveImage'],
  [buildAgentImage, [BASE, {}, CREDENTIALS], OF_SITE],
  [buildAgentImage, [BASE, SITE, {}], OF_CREDENTIALS],
  [topologyOf, [null, 'none'], 'counts must be an object, not null'],
  [topologyOf, [{ controlPlane: 1, compute: 0 }, 7], 'platform must be a string, not a number'],
  [agentStateOf, [null, {}], 'files must be an object, not null'],
  [agentStateOf, [{}, null], 'made must be an object, not null'],
  [agentStateOf, [{}, {}, null], 'options must be an object, not null'],
  [rememberedSources, [null, undefined], 'files must be an object, not null'],
  [rememberedSources, [{}, null], 'state must be an object, not null'],
  [rememberedSources, [{}, {}], 'state.inputs must be an object, not undefined'],
  [editedFiles, [null, [], undefined], 'files must be an object, not null'],
  [editedFiles, [{}, 'a', undefined], 'replaced must be an array, not a string'],
  [parseInstallFiles, [null], 'sources must be an object, not null'],
  [parseInstallFiles, [{}, null], 'options must be an object, not null'],
  [parseInstallConfig, ['', null], 'options must be an object, not null'],
  [renderManifests, [undefined, {}], ofParsed('installFiles')],
  [renderManifests, [{ installConfig: {}, agentConfig: {} }, {}], ofParsed('installFiles')],
  [renderManifests, [{ installConfig: { values: {} } }, {}], ofParsed('installFiles')],
  [planCluster, [{}], ofParsed('source')],
  [agentStateOf, [{}, {}], 'made must be what makeManifests returns as its value'],
  [renderManifests, [PARSED, undefined], 'release must be an object, not undefined'],
  [renderManifests, [PARSED, { image: 'a' }], `release.version ${IS_TEXT}`],
  [renderManifests, [PARSED, { version: '', image: 'a' }], `release.version ${IS_TEXT}`],
  [renderManifests, [PARSED, { version: '4.20.3' }], `release.image ${IS_TEXT}`],
];

test.each(WRONG.map(([called, args, told]) => ({ name: called.name, called, args, told })))(
  'refuses $name: $told',
  async ({ called, args, told }) => {
    const call = async () => called(...(args as never[]));
    await expect(call()).rejects.toMatchObject({ message: told });
  },
);
