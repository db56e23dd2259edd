// Starts `urlsift server` and connects the editor to it.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

/** The running client, or undefined. */
let client;

/** Returns the filter for the documents that are sent to the server. */
function documentSelector(languages) {
  const schemes = ['file', 'untitled'];
  if (languages.length === 0) return schemes.map((scheme) => ({ scheme }));
  return languages.flatMap((language) => schemes.map((scheme) => ({ scheme, language })));
}

async function start() {
  const settings = vscode.workspace.getConfiguration('urlsift');
  const command = settings.get('path');
  client = new LanguageClient(
    'urlsift',
    'urlsift',
    { command, args: ['server'] },
    {
      documentSelector: documentSelector(settings.get('languages')),
      initializationOptions: { workspaceDiagnostics: settings.get('workspaceDiagnostics') },
    },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
      `cannot start \`${command} server\`: ${error.message}; install urlsift or set urlsift.path`,
    );
  }
}

async function stop() {
  const stopped = client;
  client = undefined;
  await stopped?.stop();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('urlsift.restart', restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const needsRestart = ['path', 'workspaceDiagnostics', 'languages'].some((name) =>
        change.affectsConfiguration(`urlsift.${name}`),
      );
      if (needsRestart) return restart();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
