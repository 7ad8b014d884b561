// Compile the Python files of an archive by the Python that will run them, play a little by them, and print the names
// of the files that this loads: node compile.mjs PYODIDE IN.zip OUT.zip
import fs from "node:fs";

const [, , folder, source, target] = process.argv;
const { loadPyodide } = await import(`${folder}/pyodide.mjs`);
const args = ["-X", "no_debug_ranges"]; // without columns of tracebacks: a fifth less
const python = await loadPyodide({ indexURL: `${folder}/`, args });
python.FS.writeFile("/in.zip", fs.readFileSync(source));
const loaded = python.runPython(`
import json, os, sys, zipfile
with zipfile.ZipFile("/in.zip") as given:
    given.extractall("/", [name for name in given.namelist() if name.startswith("package/")])
sys.path.insert(0, "/package")
os.environ["SMALLCHANGE_DATA"] = "/kept-nowhere"
from smallchange.bots.engines import mcts  # of bots of the first minutes
from smallchange.server.offline.site import Site, play_a_little
play_a_little(Site({}, lambda: 0))
"".encode("unicode_escape")  # a codec that is missing once stays missing
from jinja2 import ModuleLoader
from smallchange.server.web.frame import COMPILED, templates
files = [f"{COMPILED}/{ModuleLoader.get_module_filename(name)}" for _, name in templates().cache]
files += [file for one in list(sys.modules.values()) if (file := getattr(one, "__file__", None))]
library = [f"library/{file.partition('.zip/')[2]}" for file in files if ".zip/" in file]
loaded = library + [file[1:] for file in files if file.startswith("/package/")]

from importlib import _bootstrap_external
from types import CodeType
def with_first_lines(code):  # in tracebacks, the line where a function begins: a sixth less
    consts = [with_first_lines(one) if isinstance(one, CodeType) else one for one in code.co_consts]
    eights, rest = divmod(len(code.co_code) // 2, 8)
    lines = bytes([0xEF, 0]) * eights + (bytes([0xE8 + rest - 1, 0]) if rest else b"")
    return code.replace(co_linetable=lines, co_consts=tuple(consts))
source, target = zipfile.ZipFile("/in.zip"), zipfile.ZipFile("/out.zip", "w")
for name in source.namelist():
    if name.endswith(".py"):
        code = compile(source.read(name), "/" + name, "exec", dont_inherit=True, optimize=2)
        unchecked = _bootstrap_external._code_to_hash_pyc(with_first_lines(code), bytes(8), False)
        target.writestr(zipfile.ZipInfo(name + "c"), unchecked)
target.close()
json.dumps(loaded)
`);
fs.writeFileSync(target, python.FS.readFile("/out.zip"));
console.log(loaded);
