# Builds a container from the description of its format, with zipfile and cryptography. Reads JSON: name, version,
# developer, seed and secret in hexadecimal, files and the lockfile as texts. Writes the container.
import base64, hashlib, hmac, io, json, re, sys, zipfile
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

given = json.load(sys.stdin)
agent = given["name"] + "@" + given["version"]
secret = bytes.fromhex(given["secret"])
key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(given["seed"]))
spki = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def derive(*parts):
    return HKDF(hashes.SHA256(), 32, None, "\0".join(parts).encode()).derive(secret)


def encrypt(path, plain):
    nonce = hmac.digest(derive("agentlang/prompt-nonce/v1", agent, path), plain, "sha256")[:12]
    bound = (agent + "\0" + path).encode()
    return nonce + AESGCM(derive("agentlang/prompt-key/v1", agent, path)).encrypt(nonce, plain, bound)


stored = {"agent.lock": given["lock"].encode()}
rows = []
for path, text in given["files"].items():
    is_prompt = re.search(r"(^|[/-])prompt\.yaml$", path)
    stored[path + ".enc" if is_prompt else path] = encrypt(path, text.encode()) if is_prompt else text.encode()
for path in sorted(stored, key=str.encode):
    row = {"path": path, "sha256": hashlib.sha256(stored[path]).hexdigest(), "size": len(stored[path])}
    if path.endswith(".enc"):
        row["encrypted"] = {"alg": "AES-256-GCM", "key_id": derive("agentlang/key-id/v1").hex()[:8]}
    rows.append(row)
manifest = json.dumps(
    {
        "format": "agentlang-container/1",
        "name": given["name"],
        "version": given["version"],
        "developer": given["developer"],
        "files": rows,
        "lock_sha256": hashlib.sha256(stored["agent.lock"]).hexdigest(),
        "signer": {
            "alg": "Ed25519",
            "public_key": base64.b64encode(spki).decode(),
            "key_id": hashlib.sha256(spki).hexdigest()[:8],
        },
    },
    sort_keys=True,
    separators=(",", ":"),
    ensure_ascii=False,
).encode()
stored["signature.sig"] = key.sign(manifest)

out = io.BytesIO()
with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
    for path, content in [("manifest.json", manifest), *sorted(stored.items(), key=lambda entry: entry[0].encode())]:
        entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = 0o100644 << 16
        archive.writestr(entry, content)
sys.stdout.buffer.write(out.getvalue())
