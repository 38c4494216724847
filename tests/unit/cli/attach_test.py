#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""attach, against servers that answer as those of PyTorch's debug server do: exit codes, what is stored, and a cancel."""
import http.server
import json
import signal
import subprocess
import threading
import unittest

from cli_world import CLI, END_LIMIT_S, CliTest, environment_of, wait_until


def trace_of(rank, ranks):
    event = {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 70 + rank, "tid": 1, "ts": 10, "dur": 5}
    return json.dumps({"schemaVersion": 1, "distributedInfo": {"backend": "gloo", "rank": rank, "world_size": ranks},
                       "baseTimeNanoseconds": 1_790_857_026_000_000_000, "traceEvents": [event]})


class Server(http.server.ThreadingHTTPServer):
    """Answers each path (up to its "?") with a text, 404 for others; a path without a text gets none before the server goes."""
    daemon_threads = True

    def __init__(self, answers):
        self.answers, self.asked, self.ended = answers, [], threading.Event()
        super().__init__(("127.0.0.1", 0), Requests)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"127.0.0.1:{self.server_port}"

    def end(self):
        self.ended.set()
        self.shutdown()
        self.server_close()


class Requests(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = self.path.partition("?")[0]
        self.server.asked.append(path)
        text = self.server.answers.get(path, "")
        if text is None:
            self.server.ended.wait(60)
            return
        self.send_response(200 if path in self.server.answers else 404)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    do_POST = do_GET

    def log_message(self, *_):
        pass


class Attach(CliTest):
    def server(self, answers):
        server = Server(answers)
        self.addCleanup(server.end)
        return server

    def rank(self, profile):
        return self.server({"/handler/": '["torch_profile"]', "/handler/torch_profile": profile})

    def page(self, addresses):
        ranks = "".join(f"debug_server/rank{rank}: b'http://{address}'\n" for rank, address in enumerate(addresses))
        return self.server({"/tcpstore": f"<h1>Torch Distributed Debug Server</h1><pre>{ranks}</pre>"})

    def job(self, *profiles):
        return self.page([self.rank(profile).address for profile in profiles])

    def attach(self, code, page, *options):
        return self.exits(code, "attach", page.address, "--seconds", "0.1", "--out", "run", *options)

    def test_joins_the_ranks_and_names_whom_it_connects_to(self):
        ranks = [self.rank(trace_of(rank, 2)) for rank in range(2)]
        page = self.page([rank.address for rank in ranks])
        result = self.attach(0, page, "--json")
        told = json.loads(result.stdout)
        self.assertEqual((told["ranks"], told["missing"], told["import"]["spans"]), ([0, 1], [], 2))
        for server in (page, *ranks):
            self.assertIn(server.address, result.stderr)
        self.assertEqual([rank.asked for rank in ranks], [["/handler/", "/handler/torch_profile"]] * 2)
        self.assertIn("rank 1", self.done("gaps", "run", "--json").stdout)

    def test_stores_no_address(self):
        page = self.job(trace_of(0, 1))
        self.attach(0, page)
        self.assertEqual(sorted(path.name for path in self.folder.rglob("*") if path.is_file()), ["import.json", "trace.json.gz"])
        note = (self.folder / "run" / "import.json").read_text()
        self.assertEqual(json.loads(note)["source"], "rank 0 of a running job")
        self.assertNotIn("127.0.0.1", note)

    def test_imports_the_other_ranks_of_one_that_fails(self):
        for name, profile, reason in (("silent", None, "no whole trace within 1.1 s"),
                                      ("no trace", "<html>", "the answer of rank 1 holds no trace"),
                                      ("empty", "", "Its answer is empty."),
                                      ("another rank's", trace_of(0, 2), "Its answer is of another rank")):
            with self.subTest(name):
                result = self.attach(1, self.job(trace_of(0, 2), profile), "--grace", "1", "--json")
                told = json.loads(result.stdout)
                self.assertEqual((told["ranks"], [rank["rank"] for rank in told["missing"]]), ([0], [1]))
                self.assertIn(reason, told["missing"][0]["reason"])
                self.assertIn("rank 1 gave no trace", result.stderr)
                stored = json.loads((self.folder / "run" / "import.json").read_text())
                self.assertIn("rank 1", stored["remarks"][-1])

    def test_writes_nothing_when_no_rank_answers(self):
        self.assertIn("No trace was recorded: ranks 0 and 1 gave none.", self.attach(1, self.job("", "x")).stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_refuses_bad_words_and_other_servers(self):
        page = self.job(trace_of(0, 1))
        other = self.server({"/": "hello"})
        for words, sentence in ((["a b"], "Write HOST:PORT"), (["node1:99999"], "from 1 to 65535"), ([other.address], "is not the page of a job"),
                                ([page.address, "--seconds", "0"], "above 0"), ([page.address, "--grace", "0"], "grace"),
                                ([page.address, "--rank-address", "1"], "R=HOST:PORT"), ([page.address, "--rank-address", "x=a:1"], "R=HOST:PORT"),
                                ([page.address, "--rank-address", "1=a"], "has no port"), ([page.address, "--max-answer", "much"], "is not a size"),
                                ([page.address, "--rank-address", "1=a:1", "--rank-address", "1=a:2"], "two addresses"),
                                ([page.address, "--rank-address", f"1={page.address}", "--rank-address", f"2={page.address}"], "same address")):
            self.assertIn(sentence, self.refused("attach", *words, "--out", "run"))

    def test_ends_at_once_when_it_is_cancelled(self):
        rank = self.rank(None)
        page = self.page([rank.address])
        process = subprocess.Popen([CLI, "attach", page.address, "--out", "run"], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=environment_of(self.folder))
        wait_until(lambda: "/handler/torch_profile" in rank.asked, process)
        process.send_signal(signal.SIGINT)
        out, words = process.communicate(timeout=END_LIMIT_S)
        self.assertEqual((process.returncode, out), (130, ""))
        self.assertIn("still record until their 5 s are over", words)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
