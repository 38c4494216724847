#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""import of a job's ranks, and who is late in it (gaps)."""
import gzip
import json
import os
import pathlib
import shutil
import sqlite3
import unittest

from cli_world import DATA, CliTest

# Jobs that a simulation of their schedule wrote, with random lengths, and what StragglerAnalysis (ByteDance-Seed, commit 8efcd7f) computes of them.
JOBS = DATA / "jobs"
COLLECTIVE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"


def complete(name, category, pid, tid, start, length, **arguments):
    return {"ph": "X", "name": name, "cat": category, "pid": pid, "tid": tid, "ts": start, "dur": length, "args": arguments}


def gpu_rank(rank, world, shift=0.0, steps=(1, 2, 3), slow=1.0):
    """One rank of a data-parallel job: a kernel and the all-reduce behind it in each step, which ends on all ranks at once."""
    events = [{"ph": "M", "name": "process_name", "pid": 900 + rank, "args": {"name": "python"}},
              {"ph": "M", "name": "process_labels", "pid": 900 + rank, "args": {"labels": "CPU"}},
              {"ph": "M", "name": "process_labels", "pid": rank, "args": {"labels": f"GPU {rank}"}}]
    for step in steps:
        at = 1.7e15 + 1000.0 * step + shift
        events += [complete(f"ProfilerStep#{step}", "user_annotation", 900 + rank, 1, at, 900),
                   complete("cudaLaunchKernel", "cuda_runtime", 900 + rank, 1, at + 10, 5, correlation=2 * step),
                   complete("cudaLaunchKernel", "cuda_runtime", 900 + rank, 1, at + 20, 5, correlation=2 * step + 1),
                   complete("gemm", "kernel", rank, 7, at + 30, 200 * slow, correlation=2 * step, device=rank, stream=7),
                   complete(COLLECTIVE, "kernel", rank, 13, at + 30 + 200 * slow, 500 - 200 * slow + rank, correlation=2 * step + 1, device=rank, stream=13,
                            **{"Process Group Name": "dp"})]
    return {"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": world}, "traceEvents": events}


def pipeline_rank(rank, slow=1.0, shift=0.0):
    """One of two stages of GPipe with two micro-batches over gloo, on a CPU: the second waits for its input within its forward."""
    events = [{"ph": "M", "name": "process_labels", "pid": 900 + rank, "args": {"labels": "CPU"}}]

    def add(name, start, length, category="user_annotation"):
        events.append(complete(name, category, 900 + rank, 1, 1.7e15 + shift + start, length))

    forward, backward = 100.0, 200.0
    for step in (3, 4):
        t = 10000.0 * step
        add(f"ProfilerStep#{step}", t, 9000)
        for m in range(2):
            sent = t + forward * (m + 1)
            arrived = sent + 10
            if rank == 0:
                add(f"PP:0F{m}", t + forward * m, forward)
                add(f"PP:0SEND_F{m}", sent, 2)
                add("gloo:send", sent + 1, 400)
            else:
                begin = t + 5 if m == 0 else max(arrived, t + forward + 10 + forward * slow)
                add(f"PP:1RECV_F{m}", t + 1 + m, 1)
                add("gloo:recv", t + 1.5 + m, arrived - t - 1.5 - m)
                end = max(begin, arrived) + forward * slow
                add(f"PP:1F{m}", begin, end - begin)
        last = t + 2 * forward + 10 + 2 * forward * slow if slow > 1 else t + 3 * forward + 10
        for m in range(2):
            begin = last + m * backward * slow
            done = begin + backward * slow
            if rank == 1:
                add(f"PP:1B{m}", begin, backward * slow)
                add(f"PP:1SEND_B{m}", done, 2)
                add("gloo:send", done + 1, 10)
            else:
                add(f"PP:0RECV_B{m}", t + 205 + m, 1)
                add("gloo:recv", t + 205.5 + m, done + 10 - t - 205.5 - m)
                start = max(done + 10, last + backward * slow + 10 + m * backward)
                add(f"PP:0B{m}", start, backward)
        add("Optimizer.step#SGD.step", last + 3 * backward * slow + 300, 50)
    return {"schemaVersion": 1, "distributedInfo": {"backend": "gloo", "rank": rank, "world_size": 2}, "traceEvents": events}


def two_processes(step="iter", micro_batch="mb"):
    """Both stages of a pipeline in one file of a recorder of its own: a process each, numbers in arguments, and a send and receive in one call."""
    events = []
    for stage in range(2):
        events.append({"ph": "M", "name": "process_name", "pid": stage, "args": {"name": f"worker {stage}"}})
        for iteration in (7, 8):
            t = 10000.0 * iteration

            def add(name, start, length, number=None):
                arguments = {step: str(iteration)} | ({} if number is None else {micro_batch: number})
                events.append(complete(name, "train", stage, 1, t + start, length, **arguments))

            for m in range(2):
                add("fwd", 100 * m if stage == 0 else 110 + 110 * m, 100, m)
            if stage == 0:
                add("push_act", 100, 5)
                add("push_act", 200, 5)
                add("pull_grad", 205, 335)
                add("bwd", 540, 100, 0)
                add("pull_grad", 641, 10)
                add("bwd", 660, 100, 1)
            else:
                add("pull_act", 5, 104)
                add("pull_act", 210, 9)
                add("bwd", 330, 200, 0)
                add("push_grad", 530, 5)
                add("bwd", 535, 100, 1)
                add("push_grad", 640, 5)
            add("opt", 800, 50)
    return {"traceEvents": events}


TWO_PROCESSES = {"names": [{"name": "fwd", "does": "forward"}, {"name": "bwd", "does": "backward"}, {"name": "opt*", "does": "update"},
                           {"name": "push_act", "does": "send-forward"}, {"name": "pull_act", "does": "receive-forward"},
                           {"name": "push_grad", "does": "send-backward"}, {"name": "pull_grad", "does": "receive-backward"}],
                 "arguments": {"step": "iter", "micro_batch": "mb"}}


def nvtx_export(path):
    """Nsight Systems' export of a process with NVTX ranges around passes, each of which launches a kernel that runs later."""
    database = sqlite3.connect(path)
    database.executescript("""
        CREATE TABLE StringIds (id INTEGER, value TEXT);
        CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, text TEXT, textId INTEGER, eventType INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
                                                 correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER, mangledName INTEGER);
        INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel'), (2, 'gemm');""")
    process, thread = 5 << 24, (5 << 24) + 6
    correlation, device = 0, 1000
    for step in range(2):
        for m, name in ((0, "train fwd 0"), (1, "train fwd 1"), (0, "train bwd 0"), (1, "train bwd 1")):
            correlation += 1
            start = 100 * correlation
            length = 3000 if "bwd" in name else 1000
            database.execute("INSERT INTO NVTX_EVENTS VALUES (?, ?, ?, ?, NULL, 59)", (start, start + 50, thread, name))
            database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, ?, ?, 1)", (start + 10, start + 20, thread, correlation))
            database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, 1, 7, ?, ?, 2, 2, 2)", (device, device + length, correlation, process))
            device += length
        database.execute("INSERT INTO NVTX_EVENTS VALUES (?, ?, ?, ?, NULL, 59)", (100 * correlation + 60, 100 * correlation + 80, thread, "opt"))
    database.commit()
    database.close()

def annotation(rank, name, start, end):
    return complete(name, "user_annotation", 900 + rank, 1, 1.7e15 + start, end - start)


def gpipe_ranks(link=0, late=None, data=None, slow=1.0, first=0, world=2, steps=range(1, 7)):
    """Two stages of GPipe with three micro-batches over gloo, as exported scripts record them: sends and receives are calls between passes. `link` delays each
    message to the second rank; `late` and `data` are (rank, time) before its first pass of each step; passes take `slow` times as long."""
    forward, backward, call, wire, events, begin = 100 * slow, 200 * slow, 5, 20, ([], []), [0.0, 0.0]

    def add(rank, name, start, end):
        events[rank].append(annotation(first + rank, name, start, end))

    def receive(rank, posted, sent):
        arrived = max(posted, sent)
        add(rank, "gloo:recv", posted, arrived)
        return arrived + call

    for step in steps:
        time = [begin[rank] + (late[1] if late and late[0] == rank else 0) for rank in range(2)]
        for rank in range(2):
            loaded = time[rank] + (data[1] if data and data[0] == rank else 1)
            add(rank, "load_batch", time[rank], loaded)
            time[rank] = loaded + call
        sent = {}
        for rank, phase, length in ((0, "F", forward), (1, "F", forward), (1, "B", backward), (0, "B", backward)):
            for m in range(3):
                start = time[rank] if (rank, phase) in ((0, "F"), (1, "B")) else receive(rank, time[rank], sent[phase, m])
                add(rank, f"PP:{rank}{phase}{m}", start, start + length)
                time[rank] = start + length + 2 * call
                if (rank, phase) in ((0, "F"), (1, "B")):
                    add(rank, "gloo:send", start + length + call, start + length + call + 1)
                    sent[phase, m] = start + length + call + wire + (link if phase == "F" else 0)
        for rank in range(2):
            add(rank, "Optimizer.step#SGD.step", time[rank], time[rank] + 20)
            add(rank, f"ProfilerStep#{step}", begin[rank], time[rank] + 25)
            begin[rank] = time[rank] + 30
    return [{"schemaVersion": 1, "distributedInfo": {"backend": "gloo", "rank": first + rank, "world_size": world}, "traceEvents": events[rank]} for rank in range(2)]


def replica_rank(rank, longest, own):
    """One of two whole networks of DistributedDataParallel over gloo: the backward waits for the reduction, in which the rank waits for the later one."""
    events = []
    for step in range(1, 7):
        start = 10000.0 * step
        reduced = start + 3 * longest + 20
        for name, begin, end in ((f"ProfilerStep#{step}", -10, reduced - start + 50), ("PP:0F0", 0, own), ("PP:0B0", own, reduced - start + 2),
                                 ("gloo:all_reduce", 3 * own, reduced - start), ("Optimizer.step#SGD.step", reduced - start + 10, reduced - start + 40)):
            events.append(annotation(rank, name, start + begin, start + end))
    return {"schemaVersion": 1, "distributedInfo": {"backend": "gloo", "rank": rank, "world_size": 2}, "traceEvents": events}


class Job(CliTest):
    def actions(self, actions):
        (self.folder / "map.json").write_text(json.dumps(actions))
        return "map.json"

    def ranks(self, *traces, names="rank{}.json"):
        folder = self.folder / "ranks"
        folder.mkdir(exist_ok=True)
        for number, trace in enumerate(traces):
            (folder / names.format(number)).write_text(json.dumps(trace))
        return folder

    def gaps(self, place):
        return json.loads(self.done("gaps", place, "--json").stdout)

    def imported(self, *places):
        self.done("import", *places, "--out", "job")
        return json.loads((self.folder / "job" / "import.json").read_text())

    def assert_slowdown(self, place, expected, share=2e-3):
        slowdown = self.gaps(place)["slowdown"]
        for key in ("step_s", "ideal_step_s", "stage_share", "worker_share"):
            self.assertAlmostEqual(slowdown[key], expected[key], delta=max(share * abs(expected[key]), 1e-3), msg=key)
        for key in ("by_operation", "by_stage", "by_replica"):
            self.assertEqual(sorted(slowdown[key]), sorted(expected[key]), key)
            for name, ratio in expected[key].items():
                self.assertAlmostEqual(slowdown[key][name], ratio, delta=share, msg=f"{key} {name}")
        return slowdown

    def test_is_as_late_as_its_authors_tool_says(self):
        for name in ("interleaved", "long_stage"):
            with self.subTest(name):
                self.done("import", JOBS / f"{name}.json.gz", "--out", name)
                self.assert_slowdown(name, json.loads((JOBS / f"{name}.expected.json").read_text()))

    def test_says_who_is_late(self):
        said = self.done("gaps", JOBS / "long_stage.json.gz").stdout
        self.assertRegex(said, r"Stage 2 is \d+ % too long: with the mean time of its operations, \d+ % of the slowdown would go\.")
        self.assertNotIn("is slow", said)
        slowdown = self.gaps(JOBS / "interleaved.json.gz")["slowdown"]
        self.assertEqual(max(slowdown["by_rank"], key=slowdown["by_rank"].get), "3")  # stage 1 of replica 1
        self.assertIn("rank 3 is slow", " ".join(slowdown["sentences"]))
        self.assertNotIn("Stage", " ".join(slowdown["sentences"]))

    def test_is_as_late_as_published(self):
        folder = os.environ.get("LANELAB_STRAGGLER_DATA", "")
        if not folder:
            self.skipTest("LANELAB_STRAGGLER_DATA names no folder with the data of StragglerAnalysis")
        data = pathlib.Path(folder)
        result = json.loads((data / "result.json").read_text())
        mean = lambda steps: sum(steps.values()) / len(steps)
        expected = {"step_s": mean(result["step_t_nodelay"]), "ideal_step_s": mean(result["step_t_noblk"]),
                    "by_operation": result["blocking_decompose_by_optype"], "by_stage": result["blocking_decompose_by_stage"],
                    "by_replica": result["blocking_decompose_by_dp_rank"], "stage_share": json.loads((data / "ms.json").read_text())["Ms"],
                    "worker_share": json.loads((data / "mw.json").read_text())["Mw"]}
        self.assert_slowdown(data / "timeline.json.gz", expected)

    def test_lanes_add_up(self):
        for lane in self.gaps(JOBS / "interleaved.json.gz")["lanes"]:
            self.assertAlmostEqual(lane["busy_us"] + lane["idle_us"], lane["window_us"], delta=1e-3)
            self.assertAlmostEqual(sum(lane["causes"].values()), lane["idle_us"], delta=1e-3)

    def test_ranks_have_the_numbers_of_their_own_files(self):
        folder = self.ranks(gpu_rank(0, 2), gpu_rank(1, 2, slow=1.5))
        self.imported(folder)
        lanes = self.gaps("job")["lanes"]
        self.assertEqual([lane["name"] for lane in lanes], ["rank 0, GPU 0", "rank 1, GPU 1"])
        for rank, lane in enumerate(lanes):
            own = self.gaps(folder / f"rank{rank}.json")["lanes"][0]
            for key in ("window_us", "busy_us", "idle_us", "communication_us", "exposed_communication_us", "causes"):
                self.assertEqual(lane[key], own[key], (rank, key))

    def test_clocks_are_aligned_by_collectives(self):
        known = self.imported(self.ranks(gpu_rank(0, 3), gpu_rank(1, 3, shift=11.56e6), gpu_rank(2, 3, shift=-4321.0)))
        self.assertEqual([rank["clock"] for rank in known["ranks"]], ["reference", "collectives", "collectives"])
        for rank, offset in enumerate((0, -11.56e6 - 1, 4321.0 - 2)):
            self.assertAlmostEqual(known["ranks"][rank]["offset_us"], offset, delta=0.01)
            self.assertAlmostEqual(known["ranks"][rank]["residual_us"], 0, delta=0.5)
        self.assertEqual(known["ranks"][1]["shared"], 3)

    def test_files_may_be_named_one_by_one(self):
        folder = self.ranks(gpu_rank(0, 2), gpu_rank(1, 2))
        self.assertEqual([rank["rank"] for rank in self.imported(folder / "rank1.json", folder / "rank0.json")["ranks"]], [0, 1])

    def test_what_is_missing_is_named(self):
        folder = self.ranks(gpu_rank(0, 4), gpu_rank(1, 4, steps=(2, 3)), gpu_rank(3, 4))
        (folder / "meta.json").write_text('{"trial": 1}')
        remarks = " ".join(self.imported(folder)["remarks"])
        self.assertIn("Of the 4 ranks of the job rank 2 is missing.", remarks)
        self.assertIn("Rank 1 recorded steps 2 and 3, others steps 1, 2 and 3.", remarks)
        self.assertIn("meta.json holds no trace and is left out.", remarks)

    def test_ranks_are_told_by_the_names_of_files(self):
        traces = [gpu_rank(rank, 2) for rank in range(2)]
        for trace in traces:
            del trace["distributedInfo"]
        known = self.imported(self.ranks(*traces, names="trace_r{}.json"))
        self.assertEqual([rank["rank"] for rank in known["ranks"]], [0, 1])

    def test_folders_without_traces_are_refused(self):
        (self.folder / "empty").mkdir()
        self.assertIn("empty holds no trace files.", self.refused("import", "empty", "--out", "job"))
        (self.folder / "empty" / "notes.json").write_text("{}")
        self.assertIn("notes.json", self.refused("import", "empty", "--out", "job"))

    def test_annotations_become_actions(self):
        self.imported(self.ranks(pipeline_rank(0, 1.5), pipeline_rank(1, 1.5)))
        gaps = self.gaps("job")
        self.assertEqual([lane["name"] for lane in gaps["lanes"]], ["rank 0", "rank 1"])
        self.assertEqual([lane["busy_us"] for lane in gaps["lanes"]], [2 * (2 * 100 + 2 * 200 + 50), 2 * (1.5 * (2 * 100 + 2 * 200) + 50)])
        for lane in gaps["lanes"]:
            self.assertAlmostEqual(sum(lane["causes"].values()), lane["idle_us"], delta=1e-3)
        self.assertGreater(gaps["bubble"]["of_total"], 0)
        slowdown = gaps["slowdown"]
        self.assertGreater(slowdown["by_stage"]["1"], slowdown["by_stage"]["0"])
        self.assertIn("Stage 1 is", " ".join(slowdown["sentences"]))

    def test_clocks_are_aligned_by_sends_and_receives(self):
        for shift in (11.56e6, -4321.0):
            known = self.imported(self.ranks(pipeline_rank(0), pipeline_rank(1, shift=shift)))
            self.assertEqual([rank["clock"] for rank in known["ranks"]], ["reference", "send/receive"])
            self.assertAlmostEqual(known["ranks"][1]["offset_us"], -shift, delta=known["ranks"][1]["residual_us"] + 1)
            self.assertLess(known["ranks"][1]["residual_us"], 20)
            self.assertEqual(known["ranks"][1]["shared"], 8)
        self.assertIn("by send/receive", self.done("import", "ranks", "--out", "job").stdout)

    def test_names_of_other_recorders_are_mapped(self):
        (self.folder / "one.json").write_text(json.dumps(two_processes()))
        actions = self.actions(TWO_PROCESSES)
        self.assertEqual(json.loads(self.done("import", "one.json", "--out", "plain", "--json").stdout)["categories"], {"train": 36})
        result = self.done("import", "one.json", "--out", "job", "--actions", actions)
        self.assertEqual(result.stderr, "")
        for place in (("job",), ("one.json", "--actions", actions)):
            gaps = json.loads(self.done("gaps", *place, "--json").stdout)
            self.assertEqual([lane["name"] for lane in gaps["lanes"]], ["worker 0", "worker 1"])
            self.assertEqual([lane["busy_us"] for lane in gaps["lanes"]], [2 * 450, 2 * 550])
            self.assertGreater(gaps["bubble"]["of_total"], 0)
            self.assertEqual({gap["step"] for lane in gaps["lanes"] for gap in lane["gaps"]}, {7, 8})
        stages = json.loads(self.done("stats", "one.json", "--actions", actions, "--by", "stage", "--json").stdout)
        self.assertEqual(sorted(group["name"] for group in stages["rows"]), ["0", "1"])

    def test_sends_without_numbers_are_of_the_passes_beside_them(self):
        trace = two_processes()
        for event in trace["traceEvents"]:
            if "mb" in event["args"]:
                event["name"] += f" {event['args']['mb']}"
            event["args"].pop("iter", None)
        (self.folder / "one.json").write_text(json.dumps(trace))
        names = [{**entry, "name": entry["name"] + " {micro_batch}"} if entry["name"] in ("fwd", "bwd") else entry for entry in TWO_PROCESSES["names"]]
        counts = json.loads(self.done("import", "one.json", "--out", "job", "--json", "--actions", self.actions({"names": names})).stdout)["categories"]
        self.assertEqual((counts["lanelab"], counts["transfer"]), (20, 16))
        self.assertEqual([lane["busy_us"] for lane in self.gaps("job")["lanes"]], [2 * 450, 2 * 550])

    def test_names_that_are_not_in_the_trace_are_noted(self):
        (self.folder / "one.json").write_text(json.dumps(two_processes()))
        names = TWO_PROCESSES["names"] + [{"name": "eval*", "does": "host"}]
        actions = self.actions({**TWO_PROCESSES, "names": names})
        note = 'Note: map.json: no span has the name "eval*" (names[7]).\n'
        self.assertEqual(self.done("gaps", "one.json", "--actions", actions).stderr, note)
        folder = self.ranks(pipeline_rank(0), pipeline_rank(1))
        both = self.actions({"names": [{"name": "PP:0RECV_B{micro_batch}", "does": "receive-backward"}, {"name": "eval*", "does": "host"}]})
        self.assertIn("eval*", self.done("import", folder, "--out", "job", "--actions", both).stderr)
        self.assertNotIn("PP:0RECV", self.done("import", folder, "--out", "job", "--actions", both).stderr)

    def test_wrong_maps_are_refused(self):
        (self.folder / "one.json").write_text(json.dumps(two_processes()))
        said = self.refused("gaps", "one.json", "--actions", self.actions({"names": [{"name": "fwd", "does": "forwards"}]}))
        self.assertIn('map.json: names[0].does is the text "forwards", which is not known: did you mean "forward"?', said)
        self.assertIn("none.json", self.refused("import", "one.json", "--out", "job", "--actions", "none.json"))

    def test_a_map_without_passes_makes_no_actions(self):
        (self.folder / "one.json").write_text(json.dumps(two_processes()))
        only = self.actions({"names": [{"name": "fwd", "does": "forward"}]})
        self.assertIn("no process has both forward and backward passes", self.done("import", "one.json", "--out", "job", "--actions", only).stderr)

    def test_nvtx_ranges_last_as_long_as_their_kernels(self):
        nvtx_export(self.folder / "rank0.sqlite")
        actions = self.actions({"names": [{"name": "*fwd {micro_batch}", "does": "forward"}, {"name": "*bwd {micro_batch}", "does": "backward"},
                                          {"name": "opt", "does": "update"}]})
        lane = json.loads(self.done("gaps", "rank0.sqlite", "--actions", actions, "--json").stdout)["lanes"][0]
        self.assertAlmostEqual(lane["busy_us"], 2 * (2 * 1 + 2 * 3) + 2 * 0.02, delta=1e-3)

    def test_timers_of_megatron_are_passes_of_ranks(self):
        def rank(number):
            events = []
            for step in (0, 1):
                t = 1.7e15 + 10000.0 * step
                names = [("forward-compute", 0, 100), ("forward-send", 100, 5), ("forward-compute", 105, 100), ("forward-send-backward-recv", 205, 200),
                         ("backward-compute", 410, 200), ("backward-recv", 610, 100), ("backward-compute", 715, 200), ("optimizer", 950, 50)]
                if number == 1:
                    names = [("forward-recv", 0, 106), ("forward-compute", 107, 100), ("backward-compute", 207, 190), ("backward-send-forward-recv", 397, 9),
                             ("forward-compute", 406, 100), ("backward-compute", 506, 190), ("backward-send", 700, 9), ("optimizer", 950, 50)]
                events += [complete(name, "user_annotation", 900 + number, 1, t + start, length) for name, start, length in names]
            return {"distributedInfo": {"rank": number, "world_size": 2}, "traceEvents": events}

        self.imported(self.ranks(rank(0), rank(1)))
        gaps = self.gaps("job")
        self.assertEqual([lane["name"] for lane in gaps["lanes"]], ["rank 0", "rank 1"])
        self.assertEqual([lane["busy_us"] for lane in gaps["lanes"]], [2 * (200 + 400 + 50), 2 * (200 + 380 + 50)])
        self.assertEqual({gap["step"] for lane in gaps["lanes"] for gap in lane["gaps"]}, {0, 1})

    def test_communication_names_its_process_group(self):
        def rank(number, described=True):
            trace = gpu_rank(number, 2)
            for step in (1, 2, 3):
                at = 1.7e15 + 1000.0 * step
                trace["traceEvents"].append(complete(COLLECTIVE, "kernel", number, 15, at + 540 + number, 100, device=number, stream=15,
                                                     **{"Process Group Name": "5", "Process Group Ranks": "[0, 1]", "Collective name": "all_gather"}))
            for event in trace["traceEvents"]:
                if described and event.get("args", {}).get("Process Group Name") == "dp":
                    event["args"]["Process Group Description"] = "mesh_dp_shard"
            trace["distributedInfo"]["pg_config"] = [{"pg_name": "0", "pg_desc": "default_pg", "ranks": [0, 1]},
                                                     {"pg_name": "5", "pg_desc": "mesh_tp", "ranks": [0, 1]}]
            return trace

        self.imported(self.ranks(rank(0), rank(1)))
        said = self.done("gaps", "job").stdout
        self.assertRegex(said, r"largest cause: communication, longest in the data group \(")
        self.assertRegex(said, r"Idle time while a process group communicated: data [^,]+, tensor [^,]+\.")
        for place in ("job", "ranks/rank0.json"):
            groups = json.loads(self.done("stats", place, "--by", "group", "--json").stdout)["rows"]
            self.assertEqual([group["name"] for group in groups], ["data", "tensor"], place)
        for lane in self.gaps("job")["lanes"]:
            self.assertEqual(list(lane["communication_by_group_us"]), ["data", "tensor"])
            self.assertLessEqual(lane["communication_by_group_us"]["data"], lane["causes"]["communication"])
        (self.folder / "ranks" / "rank0.json").write_text(json.dumps(rank(0, described=False)))
        self.assertRegex(self.done("gaps", "ranks/rank0.json").stdout, "longest in group dp")

    def late(self, *traces):
        self.done("import", self.ranks(*traces), "--out", "job")
        slowdown = self.gaps("job")["slowdown"]
        shutil.rmtree(self.folder / "job")
        return slowdown["late"], " ".join(slowdown["sentences"])

    def test_says_what_makes_passes_begin_late(self):
        for fault, members, sentence in (({}, None, "No stage, rank or link is late beyond the noise of the steps."),
                                         ({"link": 300}, {"kind": "link", "from_rank": 0, "to_rank": 1}, "The link from rank 0 to rank 1 is slow"),
                                         ({"late": (0, 300)}, {"kind": "start", "rank": 0}, "rank 0 starts its steps late, by 3"),
                                         ({"late": (1, 900)}, {"kind": "start", "rank": 1}, "rank 1 starts its steps late"),
                                         ({"data": (0, 300)}, {"kind": "data", "rank": 0, "steps": 6}, "rank 0 waits for data, 300 µs in 6 of 6 steps"),
                                         ({"data": (1, 900)}, {"kind": "data", "rank": 1}, "rank 1 waits for data")):
            with self.subTest(fault):
                late, said = self.late(*gpipe_ranks(**fault))
                self.assertEqual([{key: party[key] for key in members} for party in late], [members] if members else [])
                self.assertIn(sentence, said)
                for party in late:
                    self.assertGreater(party["share"], 0.03)

    def test_a_pass_around_another_counts_once(self):
        ranks = gpipe_ranks()
        for rank, trace in enumerate(ranks):
            trace["traceEvents"] += [annotation(rank, "Forward 0", event["ts"] - 1.7e15 - 2, event["ts"] - 1.7e15 + event["dur"] + 2)
                                     for event in trace["traceEvents"] if event["name"] == f"PP:{rank}F0"]
        self.imported(self.ranks(*ranks))
        self.assertEqual([lane["busy_us"] for lane in self.gaps("job")["lanes"]], [6 * (3 * (100 + 200) + 20)] * 2)

    def test_names_a_slow_replica(self):
        late, said = self.late(*gpipe_ranks(world=4), *gpipe_ranks(slow=1.4, first=2, world=4))
        self.assertEqual([(party["kind"], party["replica"], party["ranks"]) for party in late], [("replica", 1, [2, 3])])
        self.assertIn("Replica 1 (rank 2 and rank 3) is slow: its passes take 40 % longer than those of others.", said)

    def test_a_replica_that_waits_in_its_reduction_is_not_busy(self):
        late, _ = self.late(replica_rank(0, 140, 100), replica_rank(1, 140, 140))
        self.assertEqual([(party["kind"], party["ranks"]) for party in late], [("rank", [1])])


if __name__ == "__main__":
    unittest.main()
