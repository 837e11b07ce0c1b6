import { folderFiles } from '../../../bindings/agentlang/build.ts'
import { openContainer } from '../../../bindings/agentlang/container/seal.ts'
import { missingSecret, readAgentSecret, SECRET } from '../../agentlang/options.ts'
import { judgeContainer } from '../../agentlang/pull.ts'
import { defineCommand } from '../../command.ts'
import { expected, readKeys, TRUSTED_KEYS } from '../../keys.ts'
import { answer } from '../../outcome.ts'
import { describeProof } from '../../proof.ts'
import { counted } from '../../report/words.ts'
import { saveFolder } from '../../save.ts'

/** `blazon agent unpack`: restores the folder of an agent from its container. */
export const command = defineCommand({
  usage: 'CONTAINER [--key KEY]... [--secret SECRET]',
  details: [
    'Verifies a container, and writes its files to a new folder: all, or none.',
    'Refuses a container that is not verified. --accept signer takes one whose signer',
    'you do not know, if nothing was changed since it was signed.',
  ],
  options: {
    key: TRUSTED_KEYS,
    secret: SECRET,
    accept: { value: 'WHAT', choices: ['signer'], many: true, about: 'accept an unknown signer' },
    out: { value: 'FOLDER', about: 'the new folder (default NAME@VERSION)' },
  },
  examples: ['blazon agent unpack scout@1.0.0.agent --key developer.pub --secret agent.secret'],
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
