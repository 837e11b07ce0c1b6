/*
 * Blazon's core from C: reads a program of calls (test/conformance/program.ts) and writes what each returned.
 *
 *   wasm2c core-baseline.wasm -n blazon -o blazon.c
 *   cc -O1 -I. -I/usr/share/wabt/wasm2c host.c blazon.c /usr/share/wabt/wasm2c/wasm-rt-impl.c -lm -o host
 *   ./host program.bin answers.bin
 *
 * The part an embedder needs is small: `begin` (reserve, write), `call`, `word` and `keep`. docs/guide/abi.md explains them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blazon.h"
#include "wasm-rt-impl.h"

typedef Z_blazon_instance_t Core;

static void die(const char *why) {
  fprintf(stderr, "host: %s\n", why);
  exit(1);
}

/* ---- the core, as docs/guide/abi.md describes it ---- */

/* Memory may move when it grows: never hold this across a call. */
static u8 *at(Core *core, u32 address) {
  return Z_blazonZ_memory(core)->data + address;
}

static u32 load(Core *core, u32 address) {
  u32 value;
  memcpy(&value, at(core, address), 4);
  return value;
}

/* Result word n of the last call. */
static u32 word(Core *core, u32 n) {
  return load(core, Z_blazonZ_result(core) + 4 * n);
}

/* Begins a call with `length` bytes of input. */
static void begin(Core *core, const u8 *input, u32 length) {
  u32 address = Z_blazonZ_reserve(core, length);
  if (address == 0) die("the core takes no input of this length");
  memcpy(at(core, address), input, length);
}

/* Makes a compiled pattern set or template stay; returns its address. */
static u32 keep(Core *core, const u8 *blob, u32 length) {
  begin(core, blob, length);
  return Z_blazonZ_keep(core, Z_blazonZ_seal(core, length), length);
}

/* ---- the exports, by name; the signature is the result and then the arguments: i = 32 bits, d = double ---- */

typedef void (*Function)(void);
static const struct {
  const char *name, *signature;
  Function function;
} exports[] = {
#define EXPORT(name, signature) {#name, signature, (Function)Z_blazonZ_##name},
#include "exports.inc"
#undef EXPORT
};

typedef union {
  u32 i;
  f64 d;
} Value;

static Value call(Core *core, const char *name, const Value *v) {
  Value result;
  for (size_t n = 0; n < sizeof exports / sizeof *exports; n++) {
    if (strcmp(exports[n].name, name) != 0) continue;
    const char *signature = exports[n].signature;
    Function f = exports[n].function;
#define IS(text) (strcmp(signature, text) == 0)
    if (IS("i")) result.i = ((u32(*)(Core *))f)(core);
    else if (IS("ii")) result.i = ((u32(*)(Core *, u32))f)(core, v[0].i);
    else if (IS("id")) result.i = ((u32(*)(Core *, f64))f)(core, v[0].d);
    else if (IS("di")) result.d = ((f64(*)(Core *, u32))f)(core, v[0].i);
    else if (IS("iii")) result.i = ((u32(*)(Core *, u32, u32))f)(core, v[0].i, v[1].i);
    else if (IS("iiii")) result.i = ((u32(*)(Core *, u32, u32, u32))f)(core, v[0].i, v[1].i, v[2].i);
    else if (IS("iidddi"))
      result.i = ((u32(*)(Core *, u32, f64, f64, f64, u32))f)(core, v[0].i, v[1].d, v[2].d, v[3].d, v[4].i);
    else if (IS("iiiddddddi"))
      result.i = ((u32(*)(Core *, u32, u32, f64, f64, f64, f64, f64, f64, u32))f)(
          core, v[0].i, v[1].i, v[2].d, v[3].d, v[4].d, v[5].d, v[6].d, v[7].d, v[8].i);
    else if (IS("iiiii"))
      result.i = ((u32(*)(Core *, u32, u32, u32, u32))f)(core, v[0].i, v[1].i, v[2].i, v[3].i);
    else if (IS("iiiiii"))
      result.i = ((u32(*)(Core *, u32, u32, u32, u32, u32))f)(core, v[0].i, v[1].i, v[2].i, v[3].i, v[4].i);
    else die(signature);
    return result;
  }
  die(name);
  return v[0];
}

/* ---- the program ---- */

enum { LITERAL, DOUBLE, INPUT_LENGTH, SLOT_ADDRESS, SLOT_LENGTH };
enum { DOUBLE_RESULT = 1, HOLD = 2, FROM_SLOT = 4 };
enum { ARGUMENTS = 16, INSTANCES = 128, SLOTS = 4096 };
enum { WORD, BYTES };
#define RETURNED 0xffffffffu
#define FIXED 0x80000000u

static const u8 *program;

static u32 read_u32(void) {
  u32 value;
  memcpy(&value, program, 4);
  program += 4;
  return value;
}

static const u8 *read_block(u32 *length) {
  *length = read_u32();
  const u8 *block = program;
  program += *length;
  return block;
}

static FILE *answers;
static u8 *record;
static size_t used, have;

static void append(const void *bytes, size_t length) {
  if (used + length > have) {
    have = 2 * (used + length);
    record = realloc(record, have);
    if (!record) die("out of memory");
  }
  memcpy(record + used, bytes, length);
  used += length;
}

static void append_u32(u32 value) { append(&value, 4); }

static void append_block(const void *bytes, u32 length) {
  append_u32(length);
  append(bytes, length);
}

/* Which of the many NaNs came is the compiler's choice, not the core's: one stands for all. */
static void append_double(f64 value) {
  if (value != value) append_block("\0\0\0\0\0\0\xf8\x7f", 8);
  else append_block(&value, 8);
}

static void append_number(u32 value) { append_block(&value, 4); }

/* Reads what an output is and, when the call did not fail, appends it. */
static void append_output(Core *core, s32 got) {
  u32 kind = read_u32(), address = read_u32(), count = read_u32(), stride = read_u32(), limit = read_u32();
  if (got < 0) return;
  if (kind == WORD) {
    append_number(word(core, count));
    return;
  }
  u32 units = count == RETURNED ? (u32)got : count >= FIXED ? count - FIXED : word(core, count);
  if (units > limit) units = limit;
  append_block(at(core, word(core, address)), units * stride);
}

static u8 *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) die(path);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  u8 *bytes = malloc(size + 1);
  if (!bytes || fread(bytes, 1, size, file) != (size_t)size) die(path);
  fclose(file);
  return bytes;
}

int main(int argc, char **argv) {
  static Core instances[INSTANCES];
  static u8 made[INSTANCES];
  static struct {
    u32 address, length;
    u8 *bytes;
  } slots[SLOTS];
  static char names[256][64];

  if (argc != 3) die("usage: host PROGRAM ANSWERS");
  wasm_rt_init();
  Z_blazon_init_module();
  program = read_file(argv[1]);
  answers = fopen(argv[2], "wb");
  if (!answers) die(argv[2]);

  /* A trap comes here: the core promises that there is none. */
  static u32 current;
  if (wasm_rt_impl_try() != 0) {
    fprintf(stderr, "host: call %u trapped\n", current);
    return 1;
  }

  u32 count = read_u32();
  for (u32 n = 0; n < count; n++) {
    u32 length;
    const u8 *name = read_block(&length);
    if (n >= 256 || length >= 64) die("too many names");
    memcpy(names[n], name, length);
  }

  count = read_u32();
  for (current = 0; current < count; current++) {
    const char *name = names[read_u32()];
    u32 which = read_u32();
    if (which >= INSTANCES) die("too many instances");
    Core *core = &instances[which];
    if (!made[which]) {
      Z_blazon_instantiate(core);
      made[which] = 1;
    }

    u32 flags = read_u32(), length;
    const u8 *input = read_block(&length);
    if (flags & FROM_SLOT) {
      u32 from;
      memcpy(&from, input, sizeof from);
      if (length != sizeof from || from >= SLOTS || !slots[from].bytes) die("no such slot");
      input = slots[from].bytes;
      length = slots[from].length;
    }
    u32 slot = read_u32();
    if (slot >= SLOTS) die("too many slots");
    begin(core, input, length);
    Value values[ARGUMENTS] = {{0}};
    u32 arguments = read_u32();
    if (arguments > ARGUMENTS) die("too many arguments");
    for (u32 n = 0; n < arguments; n++) {
      u32 kind = read_u32();
      memcpy(&values[n], program, 8);
      program += 8;
      if (kind == INPUT_LENGTH) values[n].i = length;
      if (kind == SLOT_ADDRESS) values[n].i = slots[values[n].i].address;
      if (kind == SLOT_LENGTH) values[n].i = slots[values[n].i].length;
    }

    Value result = call(core, name, values);
    s32 got = flags & DOUBLE_RESULT ? 0 : (s32)result.i;

    used = 0;
    append_u32((u32)got);
    for (u32 outputs = read_u32(); outputs > 0; outputs--) append_output(core, got);
    if (flags & DOUBLE_RESULT) append_double(result.d);
    if (got < 0) {
      append_number(word(core, 1));
      append_number(word(core, 2));
    }
    u32 size = (u32)used;
    fwrite(&size, 4, 1, answers);
    fwrite(record, 1, used, answers);

    if (slot > 0 && got >= 0) {
      u8 *blob = malloc(got + 1);
      memcpy(blob, at(core, word(core, 0)), got);
      slots[slot].address = flags & HOLD ? 0 : keep(core, blob, got);
      slots[slot].length = got;
      slots[slot].bytes = blob;
    }
  }
  return fclose(answers) == 0 ? 0 : 1;
}
