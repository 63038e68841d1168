"""Ed25519 keys and signatures of nodes. Needs the package cryptography (`oche[hall]`)."""

from base64 import b64decode, b64encode

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SIGNATURE_BYTES = 64


def new_key() -> bytes:
    """A new private key, 32 random bytes."""
    return Ed25519PrivateKey.generate().private_bytes_raw()


def public_key(private: bytes) -> bytes:
    """The public key of a private one, 32 bytes."""
    return Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def sign(private: bytes, text: bytes) -> str:
    """The signature of a text in base64."""
    return b64encode(Ed25519PrivateKey.from_private_bytes(private).sign(text)).decode()


def is_signed(public: bytes, text: bytes, signature: str) -> bool:
    """Whether a signature in base64 is that of the text, by the key. False for any other value."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(b64decode(signature, validate=True), text)
    except (ValueError, InvalidSignature):
        return False
    return True


def key_from_text(text: object) -> bytes | None:
    """The public key in a base64 text; None if it is not one."""
    try:
        key = b64decode(text, validate=True) if isinstance(text, str) else b""
        Ed25519PublicKey.from_public_bytes(key)
    except ValueError:
        return None
    return key


def key_text(key: bytes) -> str:
    """A key in base64."""
    return b64encode(key).decode()
