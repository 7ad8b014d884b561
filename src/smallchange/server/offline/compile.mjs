// Compile the Python files of an archive by the Python that will run them, and print the names of the library's files
// that loading modules needs: node compile.mjs PYODIDE IN.zip OUT.zip MODULES
import fs from "node:fs";

const [, , folder, source, target, modules] = process.argv;
const { loadPyodide } = await import(`${folder}/pyodide.mjs`);
const args = ["-X", "no_debug_ranges"]; // without columns of tracebacks: a fifth less
const python = await loadPyodide({ indexURL: `${folder}/`, args });
python.FS.writeFile("/in.zip", fs.readFileSync(source));
const loaded = python.runPython(`
import importlib, json, sys
found = lambda: [file for one in list(sys.modules.values()) if (file := getattr(one, "__file__", None))]
for name in json.loads('${modules}'):
    try:
        importlib.import_module(name)
    except Exception:
        pass  # it is another in this Python
library = sorted({file.partition(".zip/")[2] for file in found() if ".zip/" in file})

import zipfile
from importlib import _bootstrap_external
source, target = zipfile.ZipFile("/in.zip"), zipfile.ZipFile("/out.zip", "w")
for name in source.namelist():
    code = compile(source.read(name), "/" + name, "exec", dont_inherit=True, optimize=2)
    unchecked = _bootstrap_external._code_to_hash_pyc(code, bytes(8), False)
    target.writestr(zipfile.ZipInfo(name + "c"), unchecked)
target.close()
json.dumps(library)
`);
fs.writeFileSync(target, python.FS.readFile("/out.zip"));
console.log(loaded);
