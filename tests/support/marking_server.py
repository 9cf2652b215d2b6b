"""A server with answers to be marked, without a gradebook: what the marking page asks for."""

from __future__ import annotations

import json
import statistics
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from autograder.marking.handlers import content_policy
from tests.conftest import REPOSITORY

_MARKING = REPOSITORY / "autograder" / "marking"
_TYPES = {".js": "text/javascript", ".css": "text/css"}
_TOKEN = "2|token"


class Refusal(Exception):
    """A status, and a sentence for the grader."""


class MarkingServer:
    """One lesson, one grader.

    Args:
        questions: as the page gets them, without ``progress``.
        answers: by question, the HTML of its answers, in the order in which they're given out.
        again: by question, those that another grader has marked.
        comments: by question, earlier comments.
        alike: by an answer's id, the ids of those that are alike, in groups with equal texts.
        restricted: whether the page has the policy that the real server sends.
    """

    def __init__(
        self, questions, answers, *, again=None, comments=None, alike=None, restricted=True
    ):
        self._questions = {question["name"]: question for question in questions}
        self._comments, self._alike = comments or {}, alike or {}
        self.answers = {
            f"{name}-{number}": {
                "question": name,
                "text": text,
                "again": second,
                "mine": False,
                "marked": None,
                "seconds": 0.0,
            }
            for second, group in ((False, answers), (True, again or {}))
            for name, texts in group.items()
            for number, text in enumerate(texts, 100 if second else 1)
        }
        """By id; ``mine`` are those that the grader has reserved or marked."""
        self.asked = []
        """The requests: method and path."""
        self.refuse_saving = ""
        """What the grader is told instead, while it isn't empty."""
        nothing = {"twice": 0, "alpha": None, "interval": None}
        self.agreement = nothing | {"mine": nothing}
        """Of all who mark."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        self.policy = content_policy(f"{self.origin}/marking/static") if restricted else ""
        self.base = "/marking/03-attention"
        self.url = self.origin + self.base

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *error):
        self._server.shutdown()
        self._server.server_close()

    def marked(self, answer):
        """What was given for an answer, by its id; None before that."""
        return self.answers[answer]["marked"]

    def respond(self, method, path, token, body):
        """Type, content of a response."""
        self.asked.append((method, path))
        if method != "GET" and token != _TOKEN:
            raise Refusal(403, "The token is missing.")
        if (method, path) == ("GET", self.base):
            return "text/html", self._page()
        file = _MARKING / "static" / Path(path).name
        if path.startswith("/marking/static/") and file.is_file():
            return _TYPES[file.suffix], file.read_text("utf8")
        if not path.startswith(f"{self.base}/questions"):
            raise Refusal(404, "There is nothing.")
        parts = [unquote(part) for part in path.removeprefix(self.base).split("/")[2:]]
        return "application/json", json.dumps(self._data(method, parts, body))

    def _page(self):
        environment = Environment(
            loader=FileSystemLoader(_MARKING / "templates"),
            undefined=StrictUndefined,
        )
        return environment.get_template("marking.html").render(
            lesson="03-attention",
            base=self.base,
            static="/marking/static",
            xsrf=_TOKEN,
            grader="ada",
        )

    def _data(self, method, parts, body):
        match method, parts:
            case "GET", []:
                described = [
                    question | {"progress": self._progress(name), "agreement": self.agreement}
                    for name, question in self._questions.items()
                ]
                return {"grader": "ada", "questions": described}
            case "POST", [question, "next"]:
                return self._next(question)
            case "GET", [question, "answers", answer] if self._is_mine(question, answer):
                return self._answer(answer)
            case "PUT", [question, "answers", answer] if self._is_mine(question, answer):
                return self._save(question, answer, body)
            case "GET", [question, "answers", answer, "alike"]:
                return {
                    "alike": [
                        {
                            "text": self.answers[group[0]]["text"],
                            "marked": bool(self.answers[group[0]]["marked"]),
                            "versions": dict.fromkeys(group, "1"),
                        }
                        for group in self._alike.get(answer, [])
                    ]
                }
            case "GET", [question, "comments"]:
                written = self._comments.get(question, [])
                return {"comments": [{"comment": said, "items": ["next"]} for said in written]}
            case "GET", [question, "mine"]:
                return {"marks": list(map(self._mark, self._marked(question)))}
            case "GET", [question, "answers", answer, "notebook"]:
                texts = ["<p>Before.</p>", self.answers[answer]["text"], "<p>After.</p>"]
                return {
                    "cells": [
                        {"kind": "markdown", "html": text, "here": here == 1}
                        for here, text in enumerate(texts)
                    ]
                }
        raise Refusal(404, "This answer isn't yours to mark.")

    def _is_mine(self, question, answer):
        found = self.answers.get(answer, {"question": None})
        return found["question"] == question and found["mine"]

    def _next(self, question):
        waiting = [
            answer
            for answer, kept in self.answers.items()
            if kept["question"] == question and kept["marked"] is None
        ]
        if not waiting:
            return {"answer": None}
        first = max(waiting, key=lambda answer: self.answers[answer]["mine"])
        self.answers[first]["mine"] = True
        return self._answer(first)

    def _answer(self, answer):
        kept = self.answers[answer]
        return {
            "answer": answer,
            "text": kept["text"],
            "turn": "second" if kept["again"] else "first",
            "marked": kept["marked"],
            "earlier": [],
            "request": "",
        }

    def _marked(self, question):
        kept = self.answers.items()
        return [name for name, each in kept if each["question"] == question and each["marked"]]

    def _mark(self, answer):
        kept = self.answers[answer]
        mark = {key: kept["marked"][key] for key in ("items", "total", "flagged", "comment")}
        turn = "second" if kept["again"] else "first"
        return mark | {"answer": answer, "turn": turn, "text": kept["text"]}

    def _save(self, question, answer, body):
        if self.refuse_saving:
            raise Refusal(503, self.refuse_saving)
        assert body.keys() == {"items", "points", "comment", "flagged", "seconds", "also"}
        worth = {item["name"]: item["points"] for item in self._questions[question]["items"]}
        points = body["points"]
        total = sum(worth[name] for name in body["items"]) if points is None else points
        marked = {key: body[key] for key in ("items", "points", "comment", "flagged")}
        self.answers[answer] |= {"marked": marked | {"total": total}, "seconds": body["seconds"]}
        kept = self.answers
        free = [name for name in body["also"] if kept[name]["mine"] or not kept[name]["marked"]]
        for other in free:
            self.answers[other] |= {"mine": True, "marked": self.answers[answer]["marked"]}
        return {
            "marked": self.answers[answer]["marked"],
            "others": len(free),
            "progress": self._progress(question),
        }

    def _progress(self, question):
        kept = [each for each in self.answers.values() if each["question"] == question]
        marked = [each for each in kept if each["marked"]]
        unmarked = [each["again"] for each in kept if not each["marked"]]
        return {
            "waiting": unmarked.count(False),
            "again": unmarked.count(True),
            "review": 0,
            "others": 0,
            "marked": sum(not each["again"] for each in marked) + sum(e["again"] for e in kept),
            "mine": len(marked),
            "flagged": sum(each["marked"]["flagged"] for each in marked),
            "seconds": statistics.median([each["seconds"] for each in marked] or [0.0]),
        }


def _handler(served):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and content in one packet, or the second waits for an acknowledgement

        def _respond(self):
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            try:
                token = self.headers.get("X-XSRFToken")
                kind, content = served.respond(self.command, self.path, token, body)
                status = 200
            except Refusal as refusal:
                status, message = refusal.args
                kind, content = "application/json", json.dumps({"message": message})
            sent = content.encode()
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(sent)))
            self.send_header("Cache-Control", "no-store")
            if served.policy:
                self.send_header("Content-Security-Policy", served.policy)
            self.end_headers()
            self.wfile.write(sent)

        do_GET = do_POST = do_PUT = _respond

        def log_message(self, *arguments):
            pass

    return Handler
