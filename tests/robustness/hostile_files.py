# SPDX-License-Identifier: GPL-3.0-only
"""Files made to hurt: repeated fragments, bombs, endless queries, deep nesting, and names that are no regular files."""
import gzip
import itertools
import json
import os
import random
import shutil
import socket
import sqlite3
import struct
import zipfile
import zlib

from trials import TOY, Tally, write_experiment

FRAGMENTS = ['{"ph":"X","args":{', '{', '[', '"', '{"a":', '},{', '{"ph":"X","name":"', "\\", '"\\u', "[{", '{"traceEvents":[', ',{"ph"', "]", "}", ",", "\n",
             '{"ph":"X","ts":1,"dur":1,"name":"a"}', '{"ph":"M","name":"process_name","args":{"name":"', "1e999,", "null,", '\xff\xfe', "\0"]


def repeated(text, size):
    data = text.encode("latin-1")
    return (data * (size // len(data) + 1))[:size]


def fragments(world):
    """JSON made of repeated fragments: its import takes time linear in the file."""
    tally = Tally("JSON of repeated fragments")
    folder = world.room("fragments")
    pairs = ["".join(pair) for pair in itertools.product(FRAGMENTS, repeat=2)]
    triples = ["".join(triple) for triple in itertools.product(FRAGMENTS, repeat=3)]
    random.Random(3).shuffle(triples)
    chosen = [*FRAGMENTS, *world.count(random.Random(2).sample(pairs, 20), [*pairs, *triples[:1200]])]
    prefixes = ["", '{"traceEvents":[', '[{"ph":"X","ts":1,"dur":1,"pid":1,"tid":1,"name":"a"},']
    file = folder / "fragments.json"
    for number, text in enumerate(chosen):
        file.write_bytes(prefixes[number % 3].encode() + repeated(text, 200_000))
        shutil.rmtree(folder / "out", ignore_errors=True)
        world.attempt(tally, "import", file, "--out", "out", what=repr(text), folder=folder, limit_s=5, memory_mb=300)
    for text in [FRAGMENTS[0], *world.count([], FRAGMENTS)]:
        file.write_bytes(repeated(text, 8_000_000))
        shutil.rmtree(folder / "out", ignore_errors=True)
        world.attempt(tally, "import", file, "--out", "out", what="8 MB of " + repr(text), folder=folder, limit_s=20, memory_mb=1000)
    return tally


def bombs(world):
    """Small gzip files that unpack to a lot."""
    tally = Tally("gzip that unpacks to 1 GB")
    folder = world.room("bombs")
    size = world.count(100_000_000, 1_000_000_000)
    for text in world.count(["["], ["[", '"', '{"ph":"X","args":{', " ", '[{"ph":"X","ts":1,"dur":1,"pid":1,"tid":1,"name":"', "\n\0"]):
        file = folder / "bomb.json.gz"
        with gzip.open(file, "wb", 9) as out:
            piece = repeated(text, 1 << 20)
            for _ in range(size >> 20):
                out.write(piece)
        shutil.rmtree(folder / "out", ignore_errors=True)
        world.attempt(tally, "import", file, "--out", "out", what=repr(text), folder=folder, limit_s=60, memory_mb=1000)
    return tally


def field(number, kind, payload):
    return varint(number << 3 | kind) + payload


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def message(number, payload):
    return field(number, 2, varint(len(payload)) + payload)


def perfetto(world):
    """Perfetto traces of empty and padding packets, of huge names, and with a track descriptor first."""
    tally = Tally("Perfetto traces of padding and huge names")
    folder = world.room("perfetto")
    size = world.count(50_000_000, 1_000_000_000)
    track = message(1, message(60, field(1, 0, varint(7)) + message(2, b"lane")) + field(10, 0, varint(1)))
    events = b"".join(message(1, field(8, 0, varint(1000 * at)) + message(11, field(9, 0, varint(kind)) + field(11, 0, varint(7)) + message(23, b"work")) +
                              field(10, 0, varint(1))) for at, kind in ((1, 1), (2, 2)))
    file = folder / "trace.pftrace"
    file.write_bytes(track + events)
    outcome = world.attempt(tally, "import", file, "--out", "first", "--json", what="a track descriptor first", folder=folder, codes=(0,))
    tally.expect(outcome.code == 0 and json.loads(outcome.out)["spans"] == 1, "the span of a trace that begins with a track descriptor")
    for what, packet in (("empty packets", b"\x0a\x00"), ("padding packets", message(1, message(30, b"\0" * 100)))):
        file.write_bytes(track + packet * (size // len(packet)) + events)
        shutil.rmtree(folder / "out", ignore_errors=True)
        world.attempt(tally, "import", file, "--out", "out", what=what, folder=folder, limit_s=60, memory_mb=500)
    with open(file, "wb") as out:
        out.write(track)
        for number in range(world.count(4, 20)):
            name = bytes([65 + number]) * 60_000_000
            out.write(message(1, field(8, 0, varint(5000 + number)) + message(11, field(9, 0, varint(3)) + field(11, 0, varint(7)) + message(23, name)) +
                              field(10, 0, varint(1))))
    shutil.rmtree(folder / "out", ignore_errors=True)
    world.attempt(tally, "import", file, "--out", "out", what="names of 60 MB", folder=folder, limit_s=60, memory_mb=700)
    return tally


NSIGHT_TABLES = """
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
INSERT INTO StringIds VALUES (1, 'kernel');
CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);
"""
KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"
COLUMNS = "1 AS start, 2 AS end, 0 AS deviceId, 7 AS streamId, 1 AS correlationId, 1 AS demangledName, 1 AS shortName"
HOSTILE_SCHEMAS = {
    "endless view": f"CREATE VIEW {KERNELS} AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT {COLUMNS} FROM n;",
    "cross join": f"CREATE TABLE n(i); INSERT INTO n VALUES {','.join(f'({i})' for i in range(1000))};"
                  f"CREATE VIEW {KERNELS} AS SELECT {COLUMNS} FROM n a, n b, n c, n d;",
    "1 GB zeroblob": f"CREATE VIEW {KERNELS} AS SELECT {COLUMNS}, zeroblob(999999999) AS x; DROP TABLE StringIds;"
                     "CREATE VIEW StringIds AS SELECT 1 AS id, zeroblob(999999999) AS value;",
    "1 GB printf": "DROP TABLE StringIds; CREATE VIEW StringIds AS SELECT 1 AS id, printf('%999999999d', 1) AS value;",
    "group_concat": "DROP TABLE StringIds; CREATE VIEW StringIds AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 99999999)"
                    " SELECT 1 AS id, group_concat(printf('%1000d', i)) AS value FROM n;",
    "generated column": f"CREATE TABLE {KERNELS} (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, correlationId INTEGER, demangledName INTEGER,"
                        f" shortName INTEGER AS (length(printf('%999999999d', start)))); INSERT INTO {KERNELS} VALUES (1, 2, 0, 7, 1, 1);",
}


def sqlite(world):
    """SQLite files whose schema computes without end."""
    tally = Tally("SQLite schemas that compute without end")
    folder = world.room("sqlite")
    for what, schema in HOSTILE_SCHEMAS.items():
        file = folder / "profile.sqlite"
        file.unlink(missing_ok=True)
        with sqlite3.connect(file) as database:
            database.executescript(NSIGHT_TABLES + schema)
        database.close()
        shutil.rmtree(folder / "out", ignore_errors=True)
        world.attempt(tally, "import", file, "--out", "out", what=what, folder=folder, limit_s=10, memory_mb=300)
        whole = file.read_bytes()
        dice = random.Random(what)
        for trial in range(world.count(1, 60)):
            broken = bytearray(whole)
            for _ in range(3):
                broken[dice.randrange(len(broken))] = dice.randrange(256)
            file.write_bytes(broken)
            shutil.rmtree(folder / "out", ignore_errors=True)
            world.attempt(tally, "import", file, "--out", "out", what=f"{what}, damaged, trial {trial}", folder=folder, limit_s=10, memory_mb=300)
    return tally


def safetensors(header):
    return struct.pack("<Q", len(header)) + header


def weights(world):
    """Weights with deep or endless headers, and pickles that nest or lie."""
    tally = Tally("hostile weights")
    folder = world.room("hostile-weights")
    huge = world.count(10_000_000, 99_000_000)
    empty = {f"t{i}": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]} for i in range(world.count(20_000, 100_000))}
    headers = {"deep header": b"[" * huge, "deep objects": b'{"a":' * (huge // 5), "quotes": b'"' * huge, "many empty tensors": json.dumps(empty).encode(),
               "overflowing shape": json.dumps({"net1.weight": {"dtype": "F32", "shape": [1 << 62, 1 << 62], "data_offsets": [0, 4]}}).encode(),
               "offsets beyond the file": json.dumps({"net1.weight": {"dtype": "F32", "shape": [4], "data_offsets": [1 << 60, (1 << 60) + 16]}}).encode()}
    for what, header in list(headers.items())[::world.count(2, 1)]:
        file = folder / "hostile.safetensors"
        file.write_bytes(safetensors(header))
        # A tensor's entry may take some multiple of its 70 bytes of text.
        start_from(world, tally, file, what, folder, memory_mb=1500)
    for what, pickle in list(hostile_pickles().items())[::world.count(2, 1)]:
        file = folder / "hostile.pth"
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr("archive/data.pkl", pickle)
            archive.writestr("archive/data/0", b"\0" * 16)
            archive.writestr("archive/version", b"3\n")
        start_from(world, tally, file, what, folder, memory_mb=800)
    tally.expect(not (folder / "executed").exists(), "a pickle ran a command")
    return tally


def start_from(world, tally, file, what, folder, **limits):
    """A training that starts from the weights in the file."""
    experiment = write_experiment(folder, model={"arch": "toy", "classes": 5, "weights": str(file)})
    world.attempt(tally, "run", experiment, "--out", "out", what=what, folder=folder, limit_s=20, **limits)
    shutil.rmtree(folder / "out", ignore_errors=True)


def tensor(shape, strides, offset=0, elements=4):
    """Opcodes that push a tensor rebuilt from storage 0."""
    def numbers(values):
        return b"(" + b"".join(b"\x8a\x08" + struct.pack("<q", value) for value in values) + b"t"
    storage = b"(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpu\x8a\x08" + struct.pack("<q", elements) + b"tQ"
    return (b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + b"\x8a\x08" + struct.pack("<q", offset) + numbers(shape) + numbers(strides) +
            b"\x89ccollections\nOrderedDict\n)RtR")


def hostile_pickles():
    def state(value):
        return b"\x80\x02}X\x01\0\0\0w" + value + b"s."
    parameter = b"ctorch._utils\n_rebuild_parameter\n("
    return {
        "nested parameters": state(parameter * 400_000 + tensor([1], [1]) + b"\x88ccollections\nOrderedDict\n)RtR" * 400_000),
        "a list within itself": b"\x80\x02]q\0h\0a.",
        "a parameter within itself": b"\x80\x02}q\0X\x01\0\0\0wctorch._utils\n_rebuild_parameter\n(h\0\x88ccollections\nOrderedDict\n)RtRs.",
        "deep tuples": b"\x80\x02" + b"(" * 1_000_000 + b"t" * 1_000_000 + b".",
        "stride 0": state(tensor([700_000_000], [0])),
        "huge shape": state(tensor([1 << 40], [1])),
        "overflowing shape": state(tensor([1 << 62, 1 << 62], [1, 1])),
        "negative stride": state(tensor([4], [-1])),
        "offset beyond": state(tensor([4], [1], offset=1 << 60)),
        "a long string that is not there": b"\x80\x02\x8d" + struct.pack("<Q", 1 << 60) + b"abc.",
        "os.system": b"\x80\x02cos\nsystem\nX\x0e\0\0\0touch executedq\0\x85R.",
    }


def special_files(world):
    """Named pipes, devices, sockets and folders in place of files."""
    tally = Tally("named pipes, devices and sockets as input")
    folder = world.room("special")
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "socket"))
    images = folder / "images" / "class"
    images.mkdir(parents=True)
    os.mkfifo(images / "image.png")
    (folder / "a folder").mkdir()
    for place in world.count(["pipe"], ["pipe", "socket", "/dev/zero", "/dev/tty", "a folder", "/dev/stdin"]):
        commands = {
            "import": ["import", place, "--out", "out"], "gaps": ["gaps", place], "experiment": ["run", place, "--out", "out"],
            "compare": ["compare", place], "schedule": ["schedule", "--file", place],
            "start weights": ["run", write_experiment(folder, "w.json", model={"arch": "toy", "classes": 5, "weights": place}), "--out", "out"],
            "digits": ["run", write_experiment(folder, "d.json", data={**TOY["data"], "source": "digits", "path": place}), "--out", "out"],
            "data": ["run", write_experiment(folder, "f.json", data={**TOY["data"], "source": "file", "path": place}), "--out", "out"],
            "images": ["run", write_experiment(folder, "i.json", data={"source": "folder", "path": place, "shape": [3, 32, 32], "batch": 2, "steps": 1}), "--out", "out"],
        }
        for what, command in commands.items():
            world.attempt(tally, *command, what=f"{what} from {place}", folder=folder, limit_s=15, codes=(1, 2))
            tally.expect(not (folder / "out").exists(), f"{what} from {place} left a folder behind")
            shutil.rmtree(folder / "out", ignore_errors=True)
    return tally


def png(width, height):
    """An image of zeros with the size it declares."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(b"\0" * (1 + width // 8)) for _ in range(height)) + packer.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def images(world):
    """Image folders with bombs, damaged and unreadable images."""
    tally = Tally("hostile images")
    folder = world.room("images")
    good = png(16, 16)
    dice = random.Random(5)
    cases = {"a bomb": png(16_000, 16_000), "empty": b"", "text": b"not an image", "cut": good[:40],
             "a lie about its size": good[:16] + struct.pack(">II", 1 << 30, 1 << 30) + good[24:]}
    for trial in range(world.count(2, 100)):
        broken = bytearray(good)
        broken[dice.randrange(len(broken))] ^= 1 << dice.randrange(8)
        cases[f"flipped, trial {trial}"] = bytes(broken)
    for what, bytes_ in list(cases.items())[::world.count(2, 1)]:
        place = folder / "set"
        shutil.rmtree(place, ignore_errors=True)
        for label in ("a", "b"):
            (place / label).mkdir(parents=True)
            for number in range(4):
                (place / label / f"{number}.png").write_bytes(good)
        (place / "a" / "9.png").write_bytes(bytes_)
        shutil.rmtree(folder / "out", ignore_errors=True)
        data = {"source": "folder", "path": str(place), "shape": [3, 32, 32], "batch": 4, "steps": 2}
        model = {"arch": "resnet18", "classes": 2}
        variants = [{"name": "Single", "strategy": "single", "lanes": [0]}]
        command = ["run", write_experiment(folder, data=data, model=model, variants=variants, training={**TOY["training"], "loss": "cross_entropy"}, repeats=1)]
        world.attempt(tally, *command, "--out", "out", what=what, folder=folder, limit_s=60, memory_mb=1200)
    return tally
