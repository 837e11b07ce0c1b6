import { folderFiles } from '../../../bindings/agentlang/container/build.ts'
import { openContainer } from '../../../bindings/agentlang/container/seal.ts'
import { containerPlace } from '../../agentlang/folder.ts'
import { LOGIN, missingSecret, readAgentSecret, SECRET } from '../../agentlang/options.ts'
import { judgeContainer, pullAgent } from '../../agentlang/registry.ts'
import { answer, defineCommand, UsageError } from '../../command.ts'
import { expected, readKeys, TRUSTED_KEYS } from '../../keys.ts'
import { describeProof } from '../../proof.ts'
import { counted } from '../../report/report.ts'
import { save, saveFolder } from '../../save.ts'

export const pull = defineCommand({
  options: {
    key: TRUSTED_KEYS,
    ...LOGIN,
    accept: {
      value: 'WHAT',
      choices: ['signer', 'downgrade'],
      many: true,
      about: 'accept an unknown signer, or an older version',
    },
    out: { value: 'FOLDER', about: 'the folder for the container (default .)' },
  },
  async run(context) {
    const { options, positionals, host, print } = context
    const [name, more] = positionals
    if (name === undefined || more !== undefined)
      throw new UsageError('wrong-arguments', 'agent pull takes one REF', 'as in registry.example.com/acme/coach:1.0.0')
    const pulled = await pullAgent(name, { ...options, keys: await readKeys(options.key, context) }, context)
    const { manifest, proof } = pulled.opened
    const { result, refusal } = judgeContainer(name, proof, options.accept)
    if (refusal !== undefined || manifest === undefined) {
      print(describeProof(name, proof))
      return refusal!
    }
    const file = `${manifest.name}@${manifest.version}.agent`
    const { out, isWritten } = await containerPlace(file, pulled.bytes, options, context)
    if (!isWritten) await save(host, out, pulled.bytes, { create: true })
    print(`${out}\n`)
    const failed = await pulled.remember()
    const notes = failed ? [`the version is not remembered: ${failed}`] : []
    return { results: [result], notes: [`${isWritten ? 'unchanged:' : 'wrote'} ${out}`, ...notes] }
  },
})

export const unpack = defineCommand({
  options: {
    key: TRUSTED_KEYS,
    secret: SECRET,
    accept: { value: 'WHAT', choices: ['signer'], many: true, about: 'accept an unknown signer' },
    out: { value: 'FOLDER', about: 'the new folder (default NAME@VERSION)' },
  },
  async run(context) {
    const { options, positionals, reader, host, print } = context
    const name = reader.file(positionals, 'blazon agent unpack takes one container')
    const keys = await readKeys(options.key, context)
    const secret = await readAgentSecret(options.secret, context)
    const { file, document } = await reader.document(name, { only: ['container'] })
    const opened = await openContainer(document, { file, ...expected(keys), ...secret })
    const { result, refusal } = judgeContainer(file, opened.proof, options.accept)
    if (refusal !== undefined) {
      print(describeProof(file, opened.proof))
      return refusal
    }
    const [manifest, files] = [opened.manifest!, opened.files!]
    const [sealed] = opened.encrypted!
    if (sealed !== undefined) throw missingSecret('agent unpack', `${sealed} is encrypted`)
    const { out = `${manifest.name}@${manifest.version}` } = options
    const restored = folderFiles(files)
    await saveFolder(host, out, restored)
    return {
      results: [result, answer({ files: [...restored.keys()] })],
      notes: [`wrote ${counted(restored.size, 'file')} to ${out}`],
    }
  },
})
