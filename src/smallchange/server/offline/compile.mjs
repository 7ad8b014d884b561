// Compile the Python files of an archive by the Python that will run them: node compile.mjs PYODIDE IN.zip OUT.zip
import fs from "node:fs";

const [, , folder, source, target] = process.argv;
const { loadPyodide } = await import(`${folder}/pyodide.mjs`);
const args = ["-X", "no_debug_ranges"]; // without columns of tracebacks: a fifth less
const python = await loadPyodide({ indexURL: `${folder}/`, args });
python.FS.writeFile("/in.zip", fs.readFileSync(source));
python.runPython(`
import zipfile
from importlib import _bootstrap_external
source, target = zipfile.ZipFile("/in.zip"), zipfile.ZipFile("/out.zip", "w")
for name in source.namelist():
    code = compile(source.read(name), "/" + name, "exec", dont_inherit=True, optimize=2)
    unchecked = _bootstrap_external._code_to_hash_pyc(code, bytes(8), False)
    target.writestr(zipfile.ZipInfo(name + "c"), unchecked)
target.close()
`);
fs.writeFileSync(target, python.FS.readFile("/out.zip"));
