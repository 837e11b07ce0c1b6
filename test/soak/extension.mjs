// Packs the extension of VS Code as its guide says, and compares what is in the file with the folder.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extensionPacker } from '../support/peers.mjs'

const folder = mkdtempSync(join(tmpdir(), 'blazon-extension-'))
try {
  cpSync('editors/vscode', folder, { recursive: true })
  const files = readdirSync(folder)
  const options = ['--no-dependencies', '--skip-license', '--allow-missing-repository', '--out', 'blazon.vsix']
  const { status, stdout, stderr } = spawnSync(process.execPath, [extensionPacker(), 'package', ...options], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
  const packed = readFileSync(join(folder, 'blazon.vsix')).toString('latin1')
  for (const file of files) assert.ok(packed.toLowerCase().includes(`extension/${file.toLowerCase()}`), file)
  console.log(`packed ${files.length} files`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
