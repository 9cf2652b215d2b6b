"""A learning platform on loopback that is as strict as the specifications of LTI 1.3 allow.

What is checked, and by what: a client's assertion by 1EdTech's Security Framework 1.0, section
4.1.1, and RFC 7523; members by Names and Role Provisioning Services 2.0; columns and grades by
Assignment and Grade Services 2.0. Signatures are verified without the library that made them.
"""

import base64
import datetime
import ipaddress
import json
import re
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509.oid import NameOID

MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
LINE_ITEM = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"
SCORE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"

MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"
LEARNER, INSTRUCTOR = f"{MEMBERSHIP}#Learner", f"{MEMBERSHIP}#Instructor"

_MEMBERS_TYPE = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
_ITEM_TYPE = "application/vnd.ims.lis.v2.lineitem+json"
_ITEMS_TYPE = "application/vnd.ims.lis.v2.lineitemcontainer+json"
_SCORE_TYPE = "application/vnd.ims.lis.v1.score+json"

_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d:\d\d)")
_ACTIVITY = {"Initialized", "Started", "InProgress", "Submitted", "Completed"}
_GRADING = {"FullyGraded", "Pending", "PendingManual", "Failed", "NotReady"}
_FIELDS = {
    *("userId", "scoreGiven", "scoreMaximum", "comment", "timestamp"),
    *("activityProgress", "gradingProgress"),
}


class Objection(Exception):
    """What a platform answers instead: a status and a reason."""


class Platform:
    """A platform with one course and one tool.

    Args:
        folder: for its certificate.
    """

    def __init__(self, folder):
        self.client_id = "10000000000042"
        self.key = None
        """The tool's public key as an administrator registers it: a JSON Web Key."""
        self.allowed = {MEMBERS, LINE_ITEM, SCORE}
        self.members, self.line_items, self.page = [], {}, 2
        self.scores = []
        """What arrived, in this order: the column's number and the score."""
        self.answers = {}
        """What is answered once in place of the truth, by the end of a path: status, headers."""
        self.asked = []
        """The requests: method, and path with its query."""
        self.token_life, self.audience = 3600, ""
        self._tokens, self._used, self._next = {}, set(), 1
        self.certificate = folder / "platform.pem"
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(_certificate(self.certificate))
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.url = f"https://127.0.0.1:{self._server.server_port}"

    @property
    def options(self):
        """What the administrator tells the instructor, for ``nbgrader_config.py``."""
        return {
            "client_id": self.client_id,
            "token_url": f"{self.url}/login/Token",
            "members_url": f"{self.url}/CourseSection/7/memberships?type_id=4",
            "line_items_url": f"{self.url}/Course/7/lineitems?type_id=4",
        }

    def read_key(self, said):
        """Register the public key that ``autograder lti keys`` prints, if it is in a text."""
        for line in re.findall(r"^\{\"e\".*$", said, re.MULTILINE):
            self.key = json.loads(line)

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *error):
        self._server.shutdown()
        self._server.server_close()

    def answer(self, method, path, headers, body):
        """Status, headers and content of an answer."""
        parts = urlsplit(path)
        self.asked.append((method, path))
        for end, (status, more) in list(self.answers.items()):
            if parts.path.endswith(end):
                del self.answers[end]
                raise Objection(status, "As the test wants it", more)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if (method, parts.path) == ("POST", "/login/Token"):
            return self._token(headers, body)
        expect(query.get("type_id") == "4", 401, "without the tool's number")
        if (method, parts.path) == ("GET", "/CourseSection/7/memberships"):
            self._check(headers, MEMBERS, accept=_MEMBERS_TYPE)
            page, more = self._paged(self.members, query, "/CourseSection/7/memberships")
            content = {"id": self.url + path, "context": {"id": "7"}, "members": page}
            return 200, {"Content-Type": _MEMBERS_TYPE} | more, content
        if parts.path == "/Course/7/lineitems":
            return self._collection(method, headers, body, query)
        found = re.fullmatch(r"/Course/7/lineitems/(\d+)/lineitem(/scores)?", parts.path)
        expect(found, 404, "no such address")
        expect(int(found[1]) in self.line_items, 404, "Line item does not exist")
        if found[2]:
            return self._score(method, headers, body, int(found[1]))
        self._check(headers, LINE_ITEM, content=_ITEM_TYPE)
        expect(method == "PUT", 405, "only PUT")
        item = _line_item(body)
        expect(item.get("id") == self._item_url(int(found[1])), 400, "not the line item's id")
        self.line_items[int(found[1])] = item
        return 200, {"Content-Type": _ITEM_TYPE}, item

    def _item_url(self, number):
        return f"{self.url}/Course/7/lineitems/{number}/lineitem?type_id=4"

    def _paged(self, items, query, path):
        """A page, and the header that names the next one, whose address tells cases apart."""
        start = int(query.get("Bookmark", "x0")[1:])
        more = {}
        if start + self.page < len(items):
            following = f"{path}?type_id=4&Bookmark=X{start + self.page}"
            more = {"Link": f'<{self.url}{path}?type_id=4>; rel="first", <{following}>; rel="next"'}
        return items[start : start + self.page], more

    def _collection(self, method, headers, body, query):
        if method == "GET":
            self._check(headers, LINE_ITEM, accept=_ITEMS_TYPE)
            items = list(self.line_items.values())
            page, more = self._paged(items, query, "/Course/7/lineitems")
            return 200, {"Content-Type": _ITEMS_TYPE} | more, page
        expect(method == "POST", 405, "only GET and POST")
        self._check(headers, LINE_ITEM, content=_ITEM_TYPE)
        item = _line_item(body)
        expect("id" not in item, 400, "the platform chooses the id")
        return 201, {"Content-Type": _ITEM_TYPE}, self.add_line_item(**item)

    def add_line_item(self, **fields):
        """Make a column, also as another course's teacher would."""
        number, self._next = self._next, self._next + 1
        self.line_items[number] = fields | {"id": self._item_url(number)}
        return self.line_items[number]

    def _score(self, method, headers, body, number):
        expect(method == "POST", 405, "only POST")
        self._check(headers, SCORE, content=_SCORE_TYPE)
        score = json.loads(body)
        unknown = {name for name in score if name not in _FIELDS and "://" not in name}
        expect(not unknown, 400, f"unknown: {unknown}")
        expect(isinstance(score.get("userId"), str), 400, "userId")
        expect(_TIME.fullmatch(score.get("timestamp", "")), 400, "timestamp")
        now = datetime.datetime.now(datetime.UTC)
        sent = datetime.datetime.fromisoformat(score["timestamp"])
        expect(abs(now - sent) < datetime.timedelta(minutes=1), 400, "timestamp")
        expect(score.get("activityProgress") in _ACTIVITY, 400, "activityProgress")
        expect(score.get("gradingProgress") in _GRADING, 400, "gradingProgress")
        given, maximum = score.get("scoreGiven"), score.get("scoreMaximum")
        expect(isinstance(given, int | float) and given >= 0, 400, "scoreGiven")
        expect(isinstance(maximum, int | float) and maximum > 0, 400, "scoreMaximum")
        expect(isinstance(score.get("comment", ""), str), 400, "comment")
        students = {member["user_id"] for member in self.members if "user_id" in member}
        expect(score["userId"] in students, 400, "Not gradable in this course <user>")
        self.scores.append((number, score))
        return 200, {}, None

    def _token(self, headers, body):
        """Grant what RFC 7523 and the Security Framework say."""
        kind = headers.get("Content-Type", "")
        expect(kind == "application/x-www-form-urlencoded", 400, "invalid_request")
        expect("Authorization" not in headers, 400, "two ways to say who asks")
        form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        fields = {"grant_type", "client_assertion_type", "client_assertion", "scope"}
        expect(form.keys() == fields, 400, "invalid_request")
        expect(form["grant_type"] == "client_credentials", 400, "unsupported_grant_type")
        expect(form["client_assertion_type"] == _ASSERTION, 400, "invalid_request")
        self._check_assertion(form["client_assertion"])
        scopes = set(form["scope"].split()) & self.allowed
        expect(scopes, 400, "invalid_scope")
        token = f"token-{len(self._tokens)}"
        self._tokens[token] = scopes, time.time() + self.token_life
        content = {"access_token": token, "token_type": "Bearer", "expires_in": self.token_life}
        return 200, {}, content | {"scope": " ".join(scopes)}

    def _check_assertion(self, assertion):
        head, claims, signature = assertion.split(".")
        header, said = json.loads(_decoded(head)), json.loads(_decoded(claims))
        expect(self.key, 400, "invalid_client: no key is registered")
        expect(header == {"alg": "RS256", "typ": "JWT", "kid": self.key["kid"]}, 400, "header")
        numbers = (int.from_bytes(_decoded(self.key[name]), "big") for name in ("e", "n"))
        public = rsa.RSAPublicNumbers(*numbers).public_key()
        try:
            signed = f"{head}.{claims}".encode()
            public.verify(_decoded(signature), signed, padding.PKCS1v15(), hashes.SHA256())
        except InvalidSignature:
            raise Objection(400, "invalid_client") from None
        expect(said["iss"] == said["sub"] == self.client_id, 400, "invalid_client")
        expect(said["aud"] == (self.audience or self.options["token_url"]), 400, "audience")
        now = time.time()
        expect(said["iat"] <= now < said["exp"] <= said["iat"] + 3600, 400, "expired")
        expect(said["jti"] and said["jti"] not in self._used, 400, "used before")
        self._used.add(said["jti"])

    def _check(self, headers, scope, *, accept=None, content=None):
        kind, _, token = headers.get("Authorization", "").partition(" ")
        scopes, until = self._tokens.get(token, ((), 0))
        expect(kind == "Bearer" and time.time() < until, 401, "no valid token")
        expect(scopes == {scope}, 403, "not what the token is for")
        expect(accept is None or headers.get("Accept") == accept, 406, "Accept")
        expect(content is None or headers.get("Content-Type") == content, 415, "Content-Type")


def expect(condition, status, reason):
    """Object unless a condition holds."""
    if not condition:
        raise Objection(status, reason)


def _line_item(body):
    item = json.loads(body)
    expect(isinstance(item.get("label"), str) and item["label"].strip(), 400, "label")
    maximum = item.get("scoreMaximum")
    expect(isinstance(maximum, int | float) and maximum > 0, 400, "scoreMaximum")
    return item


def _decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _certificate(path):
    """A file with a key and a certificate of its own, for loopback."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "platform")])
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    day, now = datetime.timedelta(days=1), datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    form = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    text = key.private_bytes(serialization.Encoding.PEM, *form)
    path.write_bytes(text + certificate.public_bytes(serialization.Encoding.PEM))
    return path


def _handler(platform):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def reply(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            try:
                status, headers, content = platform.answer(
                    self.command, self.path, self.headers, body
                )
            except ConnectionAbortedError:
                self.close_connection = True
                return
            except Objection as objection:
                status, reason, *more = objection.args
                headers, content = (more[0] if more else {}), {"error": reason}
            text = b"" if content is None else json.dumps(content).encode()
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(text))} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = do_PUT = reply

        def log_message(self, *args):
            pass

    return Handler
