import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/process/temporary-directory.ts';

const loader = pathToFileURL(join(import.meta.dirname, 'program-scripts.ts')).href;
const script = (body: string) => `(function (exports, require, module, __filename, __dirname) {${body}})`;

let folder: string;
beforeEach(async () => {
  folder = await temporaryDirectory();
});

function write(name: string, body: string): void {
  writeFileSync(join(folder, name), script(body));
}

/** Runs a script in a new process, writes the compiled code, and returns what the expression on its exports is. */
function run(name: string, expression = 'exports.value'): unknown {
  const program = `
    import { createRequire } from 'node:module';
    const { runScript, writeCompiledCode } = await import(${JSON.stringify(loader)});
    const path = ${JSON.stringify(join(folder, name))};
    const exports = runScript(path, createRequire(path));
    const value = ${expression};
    writeCompiledCode();
    console.log(JSON.stringify(value));
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  return JSON.parse(output);
}

/** The file with the compiled code of a script. */
function compiled(name: string): string {
  const [engine] = readdirSync(join(folder, '.compiled'));
  return join(folder, '.compiled', engine!, name);
}

/** A script that is large enough for its code to be kept. */
const answer = (text: string) => `exports.answer = () => { return '${text}'; };${' '.repeat(64 * 1024)}`;

describe('runScript', () => {
  it('runs the scripts that a script requires, each once', () => {
    write('count.script.cjs', 'exports.count = (globalThis.count = (globalThis.count ?? 0) + 1);');
    write('other.script.cjs', "exports.count = require('./count.script.cjs').count;");
    write(
      'main.entry.cjs',
      "exports.value = [require('./count.script.cjs').count, require('./other.script.cjs').count, require('node:path').sep];",
    );
    expect(run('main.entry.cjs')).toEqual([1, 1, '/']);
  });

  it('tells a script its place', () => {
    write('main.entry.cjs', 'exports.value = [__dirname, __filename];');
    expect(run('main.entry.cjs')).toEqual([folder, join(folder, 'main.entry.cjs')]);
  });

  it('runs a script again that has failed', () => {
    write('failing.script.cjs', 'globalThis.runs = (globalThis.runs ?? 0) + 1; throw new Error(String(runs));');
    write(
      'main.entry.cjs',
      "exports.value = [1, 2].map(() => { try { require('./failing.script.cjs'); } catch (error) { return error.message; } });",
    );
    expect(run('main.entry.cjs')).toEqual(['1', '2']);
  });
});

describe('compiled code', () => {
  it('contains the functions that were called, and is used by the next process', () => {
    write('main-1.script.cjs', answer('the first'));
    expect(run('main-1.script.cjs', 'exports.answer()')).toBe('the first');
    // A name stands for its contents, so that nobody compares them: the compiled function is the old one.
    write('main-1.script.cjs', answer('the other'));
    expect(run('main-1.script.cjs', 'exports.answer()')).toBe('the first');
  });

  it.each([
    ['without a hash in its name', 'main.entry.cjs', answer],
    ['that is small', 'main-1.script.cjs', (text: string) => answer(text).trimEnd()],
  ])('is not kept for a script %s', (_, name, bodyOf) => {
    write(name, bodyOf('the first'));
    expect(run(name, 'exports.answer()')).toBe('the first');
    write(name, bodyOf('the other'));
    expect(run(name, 'exports.answer()')).toBe('the other');
  });

  it.each([
    ['damaged', (bytes: Buffer) => bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 8)],
    ['cut off', (bytes: Buffer) => bytes.subarray(0, -9)],
    ['empty', () => Buffer.alloc(0)],
  ])('is not used if it is %s, and is written again', (_, damage) => {
    write('main-1.script.cjs', answer('the first'));
    run('main-1.script.cjs', 'exports.answer()');
    const file = compiled('main-1.script.cjs');
    writeFileSync(file, damage(readFileSync(file)));
    write('main-1.script.cjs', answer('the other'));
    expect(run('main-1.script.cjs', 'exports.answer()')).toBe('the other');
    write('main-1.script.cjs', answer('the third'));
    expect(run('main-1.script.cjs', 'exports.answer()')).toBe('the other');
  });

  it('leaves nothing half-written', () => {
    write('main-1.script.cjs', answer('the first'));
    run('main-1.script.cjs', 'exports.answer()');
    const file = compiled('main-1.script.cjs');
    rmSync(file);
    // Nothing can be renamed to it.
    mkdirSync(join(file, 'full'), { recursive: true });
    expect(run('main-1.script.cjs', 'exports.answer()')).toBe('the first');
    expect(readdirSync(dirname(file))).toEqual(['main-1.script.cjs']);
  });

  it('need not be writable', () => {
    writeFileSync(join(folder, '.compiled'), '');
    write('main-1.script.cjs', answer('the first'));
    expect(run('main-1.script.cjs', 'exports.answer()')).toBe('the first');
  });
});
