// Runs Python programs of this project under CPython 3.14, which the npm package `pyodide` carries as WebAssembly.
//
//   node .py314/run_py314.mjs [OPTION]... PROGRAM [ARGUMENT]...
//
//   PROGRAM    pytest           the test suite, or the part that the arguments name
//              -m MODULE        a module, as `python -m`
//              -c CODE          a piece of code, as `python -c`
//              FILE.py          a script
//   OPTION     --cwd FOLDER     folder that the program runs in and imports from (default: the current one)
//              --path FOLDER    one more folder to import from; may be repeated
//              --env NAME=TEXT  one more environment variable; may be repeated
//
// The exit status is the program's own; 70 means that the interpreter itself was lost (bad bytecode is a WebAssembly
// trap: it ends the whole process, so long runs are best cut into several).  There are no threads, subprocesses or
// sockets in there.  `setup.sh` prepares the folder that this file runs from and writes the entry script.

import { spawn } from "node:child_process";
import { existsSync, readFileSync, realpathSync, writeSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const USAGE_ERROR = 2;
const INTERPRETER_LOST = 70;
const STACK_SIZE = "--stack-size=3900"; // in KiB; within the 8 MiB that a main thread usually has
const SOURCE_FOLDER = dirname(fileURLToPath(import.meta.url));

class UsageError extends Error {}

function parseArguments(words) {
  const request = { cwd: process.cwd(), paths: [], environment: {}, program: [] };
  const rest = [...words];
  const next = (option) => {
    if (rest.length === 0) throw new UsageError(`${option} needs a value`);
    return rest.shift();
  };
  while (rest.length > 0 && rest[0].startsWith("--")) {
    const option = rest.shift();
    if (option === "--cwd") request.cwd = resolve(next(option));
    else if (option === "--path") request.paths.push(resolve(next(option)));
    else if (option === "--env") {
      const [name, ...text] = next(option).split("=");
      request.environment[name] = text.join("=");
    } else throw new UsageError(`unknown option ${option}`);
  }
  if (rest.length === 0) throw new UsageError("no program given: pytest, -m MODULE, -c CODE or FILE.py");
  request.program = rest;
  return request;
}

function writeAll(descriptor, bytes) {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error; // a pipe that is full for the moment
    }
  }
  return bytes.length;
}

function mountFolder(pyodide, guestFolder, hostFolder) {
  pyodide.FS.mkdirTree(guestFolder);
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: realpathSync(hostFolder) }, guestFolder);
}

async function startInterpreter(home, request) {
  const distribution = join(home, "node_modules", "pyodide");
  const { loadPyodide } = await import(pathToFileURL(join(distribution, "pyodide.mjs")).href);
  const pyodide = await loadPyodide({
    indexURL: `${distribution}/`,
    env: { HOME: "/tmp", PYTHONDONTWRITEBYTECODE: "1", PYTHONUTF8: "1", COLUMNS: "120", ...request.environment },
  });
  pyodide.setStdout({ write: (bytes) => writeAll(1, bytes), isatty: false });
  pyodide.setStderr({ write: (bytes) => writeAll(2, bytes), isatty: false });
  mountFolder(pyodide, "/project", request.cwd);
  const packages = join(home, "packages");
  const folders = existsSync(packages) ? [...request.paths, packages] : request.paths;
  const guests = folders.map((folder, index) => {
    mountFolder(pyodide, `/path${index}`, folder);
    return `/path${index}`;
  });
  return { pyodide, guests };
}

// Node.js reads the size of its stack when it starts, and its default is too small for what CPython recurses.
function runWithLargerStack() {
  const child = spawn(process.execPath, [STACK_SIZE, ...process.argv.slice(1)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  return new Promise((done) => child.on("close", (status) => done(status ?? INTERPRETER_LOST)));
}

export async function main(home, words) {
  if (!process.execArgv.includes(STACK_SIZE)) return runWithLargerStack();
  let request;
  try {
    request = parseArguments(words);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`run_py314: ${error.message}`);
    return USAGE_ERROR;
  }
  const { pyodide, guests } = await startInterpreter(home, request);
  const globals = pyodide.toPy({});
  pyodide.runPython(readFileSync(join(SOURCE_FOLDER, "driver.py"), "utf8"), { globals, filename: "driver.py" });
  const driver = globals.get("main");
  try {
    return driver(pyodide.toPy(request.program), pyodide.toPy(guests));
  } catch (error) {
    if (typeof error?.status === "number") return error.status; // os._exit
    console.error(`run_py314: the interpreter was lost: ${error?.message ?? error}`);
    return INTERPRETER_LOST;
  }
}
