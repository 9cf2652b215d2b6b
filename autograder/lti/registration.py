"""The registration of this course as a tool: its key, and the platform's addresses."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import time
import uuid
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from traitlets import Unicode
from traitlets.config import Configurable

from autograder.course_folder import CONFIG, CourseFolder
from autograder.errors import CourseError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

_BITS = 2048
_VALID = 60
"""Seconds for which a signature is valid."""

_SLOW = 5
"""Seconds by which a platform's clock may be behind this machine's."""


class LTI(Configurable):
    """The settings with which ``autograder lti`` reaches the course's learning platform;
    docs/lti.md says where its administrator finds them."""

    client_id = Unicode(help="The platform's client id for the registered tool.").tag(config=True)

    token_url = Unicode(help="The platform's URL for access tokens.").tag(config=True)

    audience = Unicode(
        help="The audience that the platform expects in requests for a token; its token_url, "
        "if left out."
    ).tag(config=True)

    members_url = Unicode(
        help="The course's URL in the platform's Names and Role Provisioning Services."
    ).tag(config=True)

    line_items_url = Unicode(
        help="The course's URL in the platform's Assignment and Grade Services."
    ).tag(config=True)

    key_file = Unicode(
        "~/.config/autograder/lti.pem",
        help="The path of the private key, outside the course folder.",
    ).tag(config=True)


class Registration:
    """Identifies this course to a learning platform.

    Args:
        course: the course folder, whose configuration has the settings.

    Raises:
        CourseError: when the key would be in the course folder, which is copied and shared, or
            when packages are missing.
    """

    def __init__(self, course: CourseFolder) -> None:
        try:
            import cryptography  # noqa: F401
            import jwt  # noqa: F401
        except ImportError:
            raise CourseError(
                "autograder lti needs the packages of the extra [lti]: pip install cryptography "
                "pyjwt"
            ) from None
        self.settings = LTI(config=course.nbgrader.config)
        self.key_file = course.root / Path(self.settings.key_file).expanduser()
        if self.key_file.resolve().is_relative_to(course.root):
            raise CourseError(
                f"{self.key_file} is in the course folder, which is copied and shared: name a file "
                f"outside it as c.LTI.key_file in {CONFIG}."
            )

    def make_key(self) -> bool:
        """Create the private key, readable only by this account, unless there is one.

        Returns:
            Whether it was created.

        Raises:
            CourseError: when it cannot be written.
        """
        from cryptography.hazmat.primitives.asymmetric import rsa
        from cryptography.hazmat.primitives.serialization import (
            Encoding,
            NoEncryption,
            PrivateFormat,
        )

        if self.key_file.exists():
            return False
        key = rsa.generate_private_key(public_exponent=65537, key_size=_BITS)
        text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        try:
            self.key_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            new = os.open(self.key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise CourseError(f"{self.key_file} cannot be written: {error.strerror}") from None
        with os.fdopen(new, "wb") as file:
            file.write(text)
        return True

    @cached_property
    def _key(self) -> RSAPrivateKey:
        """The private key.

        Raises:
            CourseError: when it is missing, others may read it, or it isn't one.
        """
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        try:
            if os.name == "posix" and self.key_file.stat().st_mode & 0o077:
                raise CourseError(f"Others can read {self.key_file}: chmod 600 {self.key_file}")
            key = load_pem_private_key(self.key_file.read_bytes(), password=None)
        except OSError as error:
            raise CourseError(
                f"{self.key_file} can't be read ({error.strerror}): `autograder lti keys` creates "
                "a key, which the platform's administrator then has to register."
            ) from None
        except (ValueError, TypeError):
            key = None
        if not isinstance(key, RSAPrivateKey):
            raise CourseError(f"{self.key_file} isn't an RSA key in PEM without a password.")
        return key

    @property
    def public_pem(self) -> str:
        """The public key in Moodle's format."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        form = (Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        return self._key.public_key().public_bytes(*form).decode()

    @property
    def public_jwk(self) -> dict[str, str]:
        """The public key in Canvas' format; its id is its thumbprint (RFC 7638)."""
        numbers = self._key.public_key().public_numbers()
        own = {"e": _encoded(numbers.e), "kty": "RSA", "n": _encoded(numbers.n)}
        spelled = json.dumps(own, separators=(",", ":"), sort_keys=True)
        name = base64.urlsafe_b64encode(hashlib.sha256(spelled.encode()).digest())
        return own | {"kid": name.decode().rstrip("="), "alg": "RS256", "use": "sig"}

    def assertion(self) -> str:
        """A client assertion for requesting a token, valid for a minute and for one use.

        Source: 1EdTech Security Framework 1.0, section 4.1.1.

        Raises:
            CourseError: when there is no key, or the configuration lacks something.
        """
        import jwt

        now = int(time.time())
        who = self.address("client_id")
        claims = {
            "iss": who,
            "sub": who,
            "aud": self.settings.audience or self.address("token_url"),
            "iat": now - _SLOW,
            "exp": now + _VALID,
            "jti": str(uuid.uuid4()),
        }
        return jwt.encode(claims, self._key, "RS256", headers={"kid": self.public_jwk["kid"]})

    def address(self, option: str) -> str:
        """A setting of the platform.

        Args:
            option: the name of an option of ``c.LTI``.

        Raises:
            CourseError: when it isn't set, or is a URL without encryption.
        """
        value: str = getattr(self.settings, option)
        if not value:
            raise CourseError(
                f"{CONFIG} doesn't set c.LTI.{option}: docs/lti.md says where your platform's "
                "administrator finds it."
            )
        return encrypted(value, f"c.LTI.{option}") if option.endswith("_url") else value


def encrypted(url: str, place: str) -> str:
    """Check that grades and tokens may be sent to a URL.

    Args:
        url: the URL.
        place: its origin, for the message.

    Raises:
        CourseError: when it is not https.
    """
    with suppress(ValueError):
        parts = urlsplit(url)
        if parts.scheme == "https" and parts.hostname:
            return url
    raise CourseError(f"{place} is {url!r}: it must begin with https:// and a host name")


def _encoded(number: int) -> str:
    """A number in the format of JSON Web Keys."""
    content = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return base64.urlsafe_b64encode(content).decode().rstrip("=")
