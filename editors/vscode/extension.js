// Starts `blazon lsp` and shows what it says. Has no dependencies, so it needs no build.
const { spawn } = require('node:child_process')
const vscode = require('vscode')
const { Client } = require('./client.js')
const { connect } = require('./features.js')

let stop = async () => undefined

async function start() {
  await stop()
  const program = vscode.workspace.getConfiguration('blazon').get('path', 'blazon')
  const isScript = /\.[cm]?js$/.test(program)
  const [command, args] = isScript ? [process.execPath, [program, 'lsp']] : [program, ['lsp']]
  // VS Code's own program is Node with this variable; Windows finds blazon.cmd only with a shell.
  const options = {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    shell: process.platform === 'win32' && !isScript,
  }
  const server = spawn(options.shell ? `"${command}"` : command, args, {
    ...options,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const fail = (why) => vscode.window.showErrorMessage(`Blazon: ${why}. Set blazon.path to the program.`)
  server.on('error', (error) => fail(`${program} cannot be started: ${error.message}`))
  const client = new Client(server.stdout, server.stdin)
  const connected = connect(vscode, client).catch((error) => void fail(error.message))
  stop = async () => {
    stop = async () => undefined
    for (const one of (await connected) ?? []) one.dispose()
    await Promise.race([client.end(), new Promise((resolve) => setTimeout(resolve, 1000))])
    server.kill()
  }
}

exports.activate = async (context) => {
  context.subscriptions.push(vscode.commands.registerCommand('blazon.restart', start))
  await start()
}

exports.deactivate = () => stop()
