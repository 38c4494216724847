#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Writes the first inputs of the fuzz targets (tests/data/fuzz): small files of each kind, and short forms of attacks that once did harm.

Usage: make_seeds.py [FOLDER]
"""
import gzip
import json
import pathlib
import sqlite3
import struct
import sys
import tempfile
import zlib


def varint(number):
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def num(field, value):
    return varint(field << 3) + varint(value)


def blob(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value


def fixed(field, value):
    return varint(field << 3 | 1) + struct.pack("<Q", value)


def packet(fields):
    return blob(1, fields)


def event(time, kind, *more, track=5, sequence=1):
    return packet(num(8, time) + num(10, sequence) + blob(11, num(9, kind) + num(11, track) + b"".join(more)))


def perfetto():
    track = packet(blob(60, num(1, 5) + blob(2, b"My Custom Track")))
    child = packet(blob(60, num(1, 6) + num(5, 5)))
    thread = packet(blob(60, num(1, 7) + blob(4, num(1, 12) + num(2, 34) + blob(5, b"compositor"))))
    process = packet(blob(60, num(1, 8) + blob(3, num(1, 12) + blob(6, b"browser"))))
    slices = event(200, 1, blob(23, b"outer"), fixed(47, 3)) + event(250, 1, blob(23, b"inner")) + event(285, 2) + event(290, 2, fixed(48, 3))
    interned = packet(num(10, 1) + num(13, 1) + blob(12, blob(1, num(1, 1) + blob(2, b"kernel")) + blob(2, num(1, 1) + blob(2, b"gemm"))
                                                     + blob(3, num(1, 1) + blob(2, b"correlation"))))
    by_number = event(300, 1, num(3, 1), num(10, 1), blob(4, num(1, 1) + num(4, 7))) + event(310, 2)
    clocks = packet(num(10, 7) + num(13, 1) + blob(59, num(58, 64) + blob(11, num(11, 7)))
                    + blob(6, blob(1, num(1, 64) + num(2, 5000) + num(3, 1) + num(4, 1000)) + blob(1, num(1, 6) + num(2, 5000123))))
    counter = event(400, 4, num(30, 9)) + event(401, 4, varint(44 << 3 | 1) + struct.pack("<d", float("inf")))
    about = {"lanelab": {"version": 1, "title": "t", "lanes": [{"name": "left", "device": "cpu:0"}], "run_counters": ["loss"],
                         "tracks": [{"lane": 0, "kind": "compute", "name": "compute", "tids": []}]}}
    declared = packet(blob(990, blob(1, json.dumps(about).encode()) + num(2, 1) + num(4, 0)))
    row, series = 1 << 24, 1 << 60
    live = (declared + packet(blob(60, num(1, 1) + blob(3, num(1, 1) + blob(6, b"left")))) + packet(blob(60, num(1, row) + num(5, 1) + blob(2, b"compute")))
            + event(100, 1, num(10, 1), num(3, 1), blob(4, num(1, 1) + num(4, 7)), track=row) + event(150, 2, track=row)
            + packet(blob(60, num(1, series) + blob(2, b"loss") + blob(8, blob(6, b"loss"))))
            + event(160, 4, varint(44 << 3 | 1) + struct.pack("<d", 2.5), track=series))
    yield "live", interned + live + packet(blob(990, num(2, 1) + num(3, 1)))
    yield "live_cut", interned + live
    yield "live_nothing_declared", packet(blob(990, blob(1, b'{"lanelab": {"version": 1}}'))) + event(100, 3, blob(23, b"mark"))
    yield "packed", interned + packet(blob(50, zlib.compress(live)))
    yield "packed_damaged", interned + packet(blob(50, zlib.compress(live)[:-1] + b"?"))
    yield "documentation", track + slices
    yield "interned", interned + by_number
    yield "clocks", clocks + event(10, 1, blob(23, b"Draw"), sequence=7) + event(5, 2, sequence=7) + thread + process
    yield "counters", child + counter + event(402, 3, blob(23, b"mark"), track=6)
    yield "empty_packets", slices + b"\x0a\0" * 100
    yield "circle", packet(blob(60, num(1, 5) + num(5, 6))) + packet(blob(60, num(1, 6) + num(5, 5))) + slices
    yield "huge_length", slices + b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f"
    yield "late_times", event(2**64 - 1, 1) + event(2**62, 1) + event(2**61, 2)


STRINGS = "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL); INSERT INTO StringIds VALUES (1,'gemm'),(2,'loader');"
KERNELS = ("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,"
           "correlationId INTEGER, globalPid INTEGER, shortName INTEGER); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1,3,0,1,7,11,171,1),(4,5,1,1,7,12,171,1);")
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "


def nsight():
    statements = {
        "export": STRINGS + KERNELS
        + "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (0,1,2868903945,11,1);"
        "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER, globalTid INTEGER);"
        "INSERT INTO NVTX_EVENTS VALUES (4,9,59,'forward',NULL,2868903945),(4,NULL,34,NULL,1,2868903945);"
        "CREATE TABLE ThreadNames (nameId INTEGER, globalTid INTEGER); INSERT INTO ThreadNames VALUES (2,2868903945);",
        "endless_view": STRINGS + "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS " + ENDLESS + "SELECT i AS start, i AS end FROM n",
        "cross_join": STRINGS + "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT count(*) AS start, 1 AS end FROM StringIds a, StringIds b, StringIds c",
        "zeroblob": "CREATE TABLE NVTX_EVENTS (start, end); CREATE VIEW StringIds AS SELECT 1 AS id, zeroblob(1000000000) AS value",
        "generated": "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, shortName AS (printf('%1000000000d', start)));"
                     "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1,2)",
        "many_pages": "CREATE TABLE NVTX_EVENTS (start, end, text);" + ENDLESS.replace("FROM n)", "FROM n LIMIT 60)")
                      + "INSERT INTO NVTX_EVENTS SELECT i, i + 1, printf('%200d', i) FROM n",
    }
    for name, sql in statements.items():
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "t.sqlite"
            database = sqlite3.connect(path)
            database.executescript("PRAGMA page_size = 512;" + sql)
            database.close()
            yield name, path.read_bytes()


CHROME = {
    "complete": '[{"ph":"X","name":"a","cat":"kernel","pid":1,"tid":2,"ts":1.5,"dur":2,"args":{"correlation":7}},'
                '{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"main"}}]',
    "pairs": '{"traceEvents":[{"ph":"B","name":"a","pid":1,"tid":2,"ts":1},{"ph":"E","pid":1,"tid":2,"ts":2},'
             '{"ph":"b","cat":"c","id":"0x1","name":"a","pid":1,"tid":2,"ts":1},{"ph":"e","cat":"c","id":"0x1","name":"a","pid":1,"tid":2,"ts":2},'
             '{"ph":"s","id":1,"name":"f","cat":"f","pid":1,"tid":2,"ts":1},{"ph":"f","bp":"e","id":1,"name":"f","cat":"f","pid":1,"tid":2,"ts":2},'
             '{"ph":"C","name":"m","pid":1,"ts":3,"args":{"bytes":4}},{"ph":"i","name":"x","s":"g","pid":1,"tid":2,"ts":4}],'
             '"baseTimeNanoseconds":1000,"otherData":{"version":"1"}}',
    "open_objects": '[' + '{"ph":"X","args":' * 60,
    "open_lists": '{"traceEvents":' + "[" * 200,
    "open_texts": '[{"ph":"X","name":"' * 40,
    "large_numbers": '[{"ph":"X","name":"a","pid":1e308,"tid":-9223372036854775808,"ts":9223372036854775807,"dur":9223372036854775807},'
                     '{"ph":"X","name":"b","pid":"p","tid":"t","ts":"1.000000000000000000001","dur":1e400}]',
}


def chrome_json():
    for name, text in CHROME.items():
        yield name, text.encode()


def gzip_files():
    plain = dict((name, content) for name, content in perfetto())
    for name, content in {"chrome": CHROME["pairs"].encode(), "perfetto": plain["documentation"], "zeros": b"\0" * 1_000_000}.items():
        yield name, gzip.compress(content, mtime=0)
    yield "two_members", gzip.compress(b"[", mtime=0) + gzip.compress(CHROME["complete"].encode()[1:], mtime=0)
    yield "cut", gzip.compress(CHROME["pairs"].encode(), mtime=0)[:-20]
    yield "plain", CHROME["complete"].encode()


def experiment():
    yield "small", (b'{"name":"small","model":{"arch":"toy"},"data":{"source":"random","shape":[10],"batch":8,"steps":2},'
                    b'"lanes":[{"device":"cpu:0"},{"device":"cuda:0"}],"variants":[{"name":"A","strategy":"single"},'
                    b'{"name":"B","strategy":"pipeline","schedule":"1f1b","split_size":2,"cuts":["fc"]}]}')
    yield "deep", b'{"model":' * 70
    yield "long_numbers", b'{"data":{"batch":1e999,"steps":99999999999999999999,"shape":[9223372036854775807,2]}}'


def module_tree():
    yield "tree", (b'{"class":"Net","children":{"fc":{"class":"Linear","parameters":{"weight":{"shape":[10,5],"dtype":"float32","tie":"w"},'
                   b'"bias":{"shape":[],"dtype":"int8"}},"buffers":{"b":{"shape":[9223372036854775807,9],"dtype":"float64"}}}}}')
    yield "map", b'{"device_map":{"model.embed_tokens":0,"model.layers.1":"cpu","":"disk"},"max_memory":{"0":52417256}}'
    yield "deep", b'{"children":{"a":' * 40


def exported():
    """Models as JSON; archives are in tests/data/exported."""
    batch = {"as_expr": {"expr_str": "Symbol('s0', positive=True, integer=True)", "hint": {"as_int": 2}}}

    def meta(*sizes):
        return {"dtype": 7, "sizes": [s if isinstance(s, dict) else {"as_int": s} for s in sizes], "strides": [{"as_int": 1} for _ in sizes]}

    def tensor(name):
        return {"as_tensor": {"name": name}}

    def call(target, inputs, output, module):
        stack = f"L__self__,,a.Net;L__self__{module},{module},a.Layer"
        return {"target": "torch.ops." + target, "inputs": [{"name": n, "arg": a} for n, a in inputs], "outputs": [output],
                "metadata": {"nn_module_stack": stack, "stack_trace": 'File "a/net.py", line 3, in forward'}}

    graph = {"inputs": [], "outputs": [],
             "nodes": [call("aten.linear.default", [("input", tensor("x")), ("weight", tensor("p_w"))], tensor("a"), "layers.0"),
                       call("aten.sym_size.int", [("self", tensor("x")), ("dim", {"as_int": 0})], {"as_sym_int": {"as_name": "n"}}, "layers.0"),
                       call("aten.relu_.default", [("self", tensor("a"))], tensor("b"), "layers.1"),
                       call("aten.ones.default", [("size", {"as_sym_ints": [{"as_name": "n"}, {"as_int": 2}]})], tensor("c"), ""),
                       call("aten.mul.Tensor", [("self", tensor("b")), ("other", tensor("c"))], tensor("d"), "head")],
             "tensor_values": {"p_w": meta(2, 3), "x": meta(batch, 3), "a": meta(batch, 2), "b": meta(batch, 2), "c": meta(batch, 2), "d": meta(batch, 2)},
             "sym_int_values": {"n": batch}}
    signature = {"input_specs": [{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}}, {"user_input": {"arg": tensor("x")}}],
                 "output_specs": [{"user_output": {"arg": tensor("d")}}]}
    model = {"graph_module": {"graph": graph, "signature": signature}, "schema_version": {"major": 8, "minor": 17}, "torch_version": "2.11.0",
             "range_constraints": {"s0": {"min_val": 1, "max_val": 64}}}
    yield "small", json.dumps(model, separators=(",", ":")).encode()
    graph["nodes"][2]["inputs"].append({"name": "", "arg": {"as_graph": {"name": "g", "graph": {"inputs": [], "outputs": [], "nodes": []}}}})
    yield "nested", json.dumps(model, separators=(",", ":")).encode()
    yield "deep", b'{"graph_module":{"graph":' * 40
    yield "sizes", json.dumps(model, separators=(",", ":")).replace("Symbol('s0', positive=True, integer=True)", "floor(Mul(Rational(1, 2), Symbol('s0')))").encode()


def schedule_csv():
    yield "one_f_one_b", b"0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n"
    yield "zero_bubble", b"0F0,,0I0,0W0\n1F0,1I0,1W0\n"
    yield "large", b"32767F32767,99999999999F0\n0F,F0,-1F0,0X0\n"


def run_files():
    time = {"median_s": 0.1, "low_s": 0.09, "high_s": 0.11, "n": 5}
    run = {"schema": 1, "id": "a", "status": "done", "started": "2026-01-01T00:00:00Z", "finished": "2026-01-01T00:00:01Z", "warnings": [],
           "experiment": {"name": "small", "model": {"arch": "toy", "classes": 5}, "data": {"source": "random", "shape": [10], "batch": 8, "steps": 2},
                          "lanes": [{"device": "cpu:0"}], "variants": [{"name": "A", "strategy": "single"}]},
           "environment": {"host": "h", "cpu": "c", "cores": 2}, "variants": [{"name": "A", "steps": [], "median_s": None}]}
    yield "run", json.dumps(run).encode()
    yield "bookmarks", b'{"schema":1,"bookmarks":[{"name":"a","variant":"A","start_ns":1,"end_ns":2}]}'
    yield "costs", b'{"blocks":[{"name":"stem","forward_ms":1.5,"backward_ms":3,"backward_weight_ms":1.4},{"name":"fc","forward_ms":1,"backward_ms":2}],"transfers_ms":[0.1]}'
    yield "profile", json.dumps({"schema": 1, "key": {}, "blocks": ["fc"], "updates": [time], "action_overhead": time,
                                 "sizes": [{"samples": 2, "all_lanes_slowdown": 1, "forward": time, "backward": time, "blocks": [time]}]}).encode()


def safetensors():
    entry = '{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"__metadata__":{"format":"pt"}}'
    yield "one", struct.pack("<H", 8) + entry.encode()
    yield "overlap", struct.pack("<H", 8) + b'{"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}}'
    yield "large", struct.pack("<H", 8) + b'{"a":{"dtype":"F64","shape":[9223372036854775807,9223372036854775807],"data_offsets":[0,18446744073709551615]}}'
    yield "deep", struct.pack("<H", 8) + b'{"a":' + b"[" * 300


def pickle_inputs():
    import pickle
    for protocol in (2, 4):
        yield f"plain_{protocol}", pickle.dumps({"weight": [1, 2.5, None, True, "text"], "n": (1, 2, 3, 4), "long": 2**40}, protocol)
    # As torch.save() has it: an OrderedDict of calls whose storage is a persistent id.
    storage = b"((X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpuK\x04tQ"
    tensor = b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + b"K\0K\x02K\x02\x86K\x02K\x01\x86\x89ccollections\nOrderedDict\n)RtR"
    yield "state_dict", b"\x80\x02ccollections\nOrderedDict\n)R(X\x06\0\0\0weight" + tensor.replace(b"((X", b"(X") + b"u."
    yield "nested", b"\x80\x02" + b"(" * 300 + b"t" * 300 + b"."
    yield "shared", b"\x80\x02]q\0" + b"(h\0h\0tq\0" * 40 + b"."
    yield "long_text", b"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7f"


def state_dicts():
    import io
    import zipfile
    pickles = dict(pickle_inputs())
    for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", compression) as out:
            for name, content in (("data.pkl", pickles["state_dict"]), ("data/0", b"\0" * 16), ("version", b"3\n")):
                out.writestr(zipfile.ZipInfo("archive/" + name), content, compression)
        yield ("stored", "deflated")[compression == zipfile.ZIP_DEFLATED], archive.getvalue()


def run_archives():
    import io
    import zipfile
    record = dict(run_files())["run"]
    for name, entries in {"run": {"one/run.json": record, "one/labels.json": b'{"schema": 1, "tags": ["a"]}'}, "upwards": {"one/run.json": record, "one/../../x": b"x"}}.items():
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as out:
            for path, content in entries.items():
                out.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)
        yield name, archive.getvalue()

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    for kind, text in ((b"tEXt", b"lanelab\0{}"), (b"zTXt", b"lanelab\0\0" + zlib.compress(b"{}")), (b"iTXt", b"lanelab\0\1\0\0\0" + zlib.compress(b"{}"))):
        yield kind.decode(), b"\x89PNG\r\n\x1a\n" + header + chunk(kind, text) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")


def images():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    for colour, channels in ((0, 1), (2, 3), (6, 4)):
        rows = zlib.compress(b"".join(b"\0" + bytes(range(4 * channels)) for _ in range(3)))
        header = struct.pack(">IIBBBBB", 4, 3, 8, colour, 0, 0, 0)
        yield f"png_{colour}", b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    yield "bomb", b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1 << 30, 1 << 30, 8, 2, 0, 0, 0))
    yield "jpeg", bytes.fromhex("ffd8ffdb004300" + "01" * 64 + "ffc0000b080001000101011100" + "ffc40014000100000000000000000000000000000009"
                                "ffc40014100100000000000000000000000000000000ffda0008010100003f0037ffd9")


MAKERS = {"perfetto": perfetto, "nsight": nsight, "chrome_json": chrome_json, "gzip": gzip_files, "experiment": experiment,
          "exported": exported, "module_tree": module_tree, "schedule_csv": schedule_csv, "run_files": run_files, "run_archive": run_archives, "safetensors": safetensors, "pickle": pickle_inputs,
          "state_dict": state_dicts, "image": images}
WORDS = {
    "chrome_json": ["traceEvents", "ph", "name", "cat", "pid", "tid", "ts", "dur", "args", "id", "bp", "otherData", "lanelab", "correlation", "stream",
                    "device", "baseTimeNanoseconds", "process_name", "thread_name", "thread_sort_index", "lanelab_import_format"],
    "experiment": ["model", "arch", "data", "source", "lanes", "device", "variants", "strategy", "schedule", "split_size", "cuts", "training",
                   "lr_schedule", "ranks", "replicas", "shape", "weights", "recompute", "precision"],
    "exported": ["as_tensor", "as_tensors", "as_none", "as_int", "as_ints", "as_sym_int", "as_sym_ints", "as_name", "as_float", "as_bool", "as_string",
                 "as_device", "as_graph", "as_expr", "as_optional_tensors", "name", "inputs", "outputs", "nodes", "tensor_values", "expr_str", "Infinity"],
}


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "data" / "fuzz")
    for target, maker in MAKERS.items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for name, content in maker():
            (folder / target / name).write_bytes(content)
    for target, words in WORDS.items():
        (folder / f"{target}.dict").write_text("".join(f'"\\"{word}\\""\n' for word in words))


if __name__ == "__main__":
    main()
