// A compiled template is a position-independent blob: little-endian 32-bit words, followed by bytes:
//
//   header      length of the blob | references | names | offset of the name bytes | offset of the text
//   references  in document order: bytes of text before it | index of its name | offset of its `{{` in the template
//   names       in order of first use: length | number of uses
//   the bytes of the names, then the text between references, unescaped and contiguous
//
// docs/guide/abi/template.md describes the same for embedders.

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
