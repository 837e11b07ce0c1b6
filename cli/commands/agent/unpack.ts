import { folderFiles } from '../../../bindings/agentlang/build.ts'
import { type ContainerContent, verifying } from '../../../bindings/agentlang/container/verify.ts'
import { verifyOpened } from '../../../bindings/frame/verify.ts'
import { missingSecret, readAgentSecret, SECRET } from '../../agentlang/secret.ts'
import { defineCommand } from '../../command.ts'
import { EXIT } from '../../exit.ts'
import { expected, readKeys, TRUSTED_KEYS } from '../../keys.ts'
import { answer } from '../../outcome.ts'
import { describeProof, isAccepted } from '../../proof.ts'
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
    const { file, kind, document } = await reader.document(name, { only: ['container'] })
    let content: ContainerContent | undefined
    const take = (opened: ContainerContent) => {
      content = opened
    }
    const opened = { document, kind: 'container' as const, diagnostics: document.warnings }
    const proof = await verifyOpened(verifying(take), opened, { expect: expected(keys), ...secret })
    const { manifest, files, encrypted } = content ?? {}
    const diagnostics = proof.steps.flatMap(({ diagnostic }) => diagnostic ?? [])
    const result = { file, kind: kind ?? null, valid: proof.verdict === 'verified', diagnostics, proof }
    if (!isAccepted(proof, options.accept) || manifest === undefined || files === undefined) {
      print(describeProof(file, proof))
      return { results: [result], exit: EXIT.unverified, reason: 'not verified: nothing was written' }
    }
    const [sealed] = encrypted!
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
