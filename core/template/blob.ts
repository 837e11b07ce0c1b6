// A compiled template is a blob of little-endian 32-bit words with no address in it, then bytes:
//
//   header      length of the blob | references | names | offset of the name bytes | offset of the text
//   references  in document order: bytes of text before it | which name | offset of its `{{` in the template
//   names       in the order of their first use: length | how often it is used
//   name bytes, then the text between references, unescaped and in one piece
//
// docs/abi/template.md is this page for embedders.

export const HEADER: usize = 20;
export const REFERENCES: usize = 4;
export const NAMES: usize = 8;
export const NAME_BYTES: usize = 12;
export const TEXT: usize = 16;

export const REFERENCE: usize = 12;
export const REFERENCE_NAME: usize = 4;
export const REFERENCE_OFFSET: usize = 8;

export const NAME: usize = 8;
export const NAME_USES: usize = 4;
