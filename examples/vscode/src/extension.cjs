// All that VS Code needs: it starts `coreiso lsp` and speaks its protocol. `vscode` is there when it runs; the client comes from npm.
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

/** @type {LanguageClient | undefined} */
let client;

exports.activate = async () => {
  const command = workspace.getConfiguration('coreiso').get('command', 'coreiso');
  const documents = [{ language: 'yaml' }, { language: 'json', pattern: '**/*.ign' }];
  // Files that change under the editor, such as an install config beside an open agent-config.
  const fileEvents = workspace.createFileSystemWatcher('**/{install-config,agent-config}.yaml');
  client = new LanguageClient(
    'coreiso',
    { command, args: ['lsp'] },
    { documentSelector: documents, synchronize: { fileEvents } },
  );
  await client.start();
};

exports.deactivate = () => client?.stop();
