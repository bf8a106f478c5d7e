import { expect } from 'vitest';
import type { ResourceObject } from '../../../meta/object.ts';
import type { StructSchema } from '../../../schema/model.ts';
import { compileKind, Findings } from '../../../schema/normalize/index.ts';
import { applyJsonMergePatch } from '../../json-merge-patch.ts';
import { afterUpdate } from '../after-update.ts';
import { apply as applyConfiguration } from '../apply.ts';
import { FieldSet, printPath } from '../field-set.ts';
import { checkApplied, describeConflicts, fieldFilter, keepTimes, kindShape } from '../index.ts';
import { Ship } from './ship.conformance.ts';

/** The result of a step: the owners of all fields, the conflicting managers, or the error. */
type Outcome = string;

interface StepOptions {
  readonly force?: boolean;
  readonly subresource?: string;
}

type Config = Readonly<Record<string, unknown>>;

/** One write to the object. */
export interface Step {
  readonly run: (object: ScriptedObject) => Outcome;
  readonly expected: Outcome;
}

/**
 * An apply. The expected result lists the owners in order: `a: .spec.name .spec.size` for an apply entry, `a*: …` for
 * an update entry, `a/status: …` for an entry of a subresource, with `?` after entries without a time. Otherwise it is
 * `conflict a: .spec.name` or `error …`.
 */
export function apply(manager: string, config: Config, expected: Outcome, options: StepOptions = {}): Step {
  return { run: (object) => object.apply(manager, config, options), expected };
}

/** A merge patch. */
export function patch(
  manager: string,
  change: Config,
  expected: Outcome,
  { subresource = '' }: StepOptions = {},
): Step {
  return { run: (object) => object.patch(manager, change, subresource), expected };
}

/** A create, or an update that replaces everything except the metadata that the server sets. */
export function put(manager: string, next: Config, expected: Outcome, { subresource = '' }: StepOptions = {}): Step {
  return { run: (object) => object.put(manager, next, subresource), expected };
}

/** Runs the steps one second apart. `result` is the expected part of the final object. */
export function runScript(steps: readonly Step[], result: Config, schema: StructSchema = Ship): void {
  const object = new ScriptedObject(schema);
  for (const [index, { run, expected }] of steps.entries()) {
    expect(run(object), `step ${index + 1}`).toBe(expected);
  }
  expect(pick(object.live ?? {}, result)).toEqual(result);
}

function pick(value: unknown, like: unknown): unknown {
  if (!isObject(like) || (value !== undefined && !isObject(value))) return value;
  return Object.fromEntries(Object.keys(like).map((key) => [key, pick(value?.[key], like[key])]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const apiVersion = 'sea/v1';
const kind = 'Ship';

export class ScriptedObject {
  live: ResourceObject | undefined;
  /** Number of writes to storage that a server would have made. */
  writes = 0;
  readonly #schema: StructSchema;
  readonly #compiled: ReturnType<typeof compileKind>;
  #seconds = 0;

  constructor(schema: StructSchema = Ship) {
    this.#schema = schema;
    this.#compiled = compileKind({ schema, kind, apiVersion });
  }

  apply(manager: string, config: Config, { force = false, subresource = '' }: StepOptions = {}): Outcome {
    const metadata = { name: 'x', ...(config.metadata as object) };
    const applied = { apiVersion, kind, ...config, metadata } as ResourceObject;
    const mistake = checkApplied(kindShape(this.#schema), applied);
    if (mistake !== undefined) return mistake.message.replace(/^.*?Kind=Ship\)/, 'error');
    const before = JSON.stringify([this.live, applied]);
    const result = applyConfiguration({ ...this.#request(manager, subresource), live: this.live, applied, force });
    expect(JSON.stringify([this.live, applied])).toBe(before);
    if (result.outcome === 'conflict') return printConflicts(result.conflicts);
    return this.#store(result.object, subresource);
  }

  patch(manager: string, change: Config, subresource = ''): Outcome {
    const next = applyJsonMergePatch(this.live, change) as ResourceObject;
    return this.#update(manager, next, subresource);
  }

  put(manager: string, next: Config, subresource = ''): Outcome {
    const metadata = { name: 'x', ...(next.metadata as object) };
    return this.#update(manager, { ...next, metadata } as ResourceObject, subresource);
  }

  #update(manager: string, sent: ResourceObject, subresource: string): Outcome {
    const next = this.#canonical(sent);
    const managedFields = afterUpdate({
      ...this.#request(manager, subresource),
      live: this.live,
      next,
      sent: sent.metadata.managedFields,
    });
    return this.#store({ ...next, metadata: { ...next.metadata, managedFields } } as ResourceObject, subresource);
  }

  #request(manager: string, subresource: string) {
    this.#seconds++;
    const time = new Date(this.#seconds * 1000).toISOString().replace('.000', '');
    const filter = fieldFilter({ group: 'sea', resource: 'ships', subresource, hasStatus: true });
    return { shape: kindShape(this.#schema), manager, apiVersion, subresource, time, filter };
  }

  #canonical(object: unknown): ResourceObject {
    return this.#compiled.normalize(JSON.parse(JSON.stringify(object)), new Findings());
  }

  /** Stores the object as a server does: a write through one endpoint does not change the fields of another. */
  #store(object: ResourceObject, subresource: string): Outcome {
    const next = this.#canonical(object);
    if (this.live === undefined || subresource === '') next.status = this.live?.status ?? {};
    if (subresource === 'status') next.spec = this.live?.spec;
    next.metadata.uid = 'u';
    if (this.live !== undefined) {
      const managedFields = keepTimes(this.live, next);
      if (managedFields === undefined) delete next.metadata.managedFields;
      else next.metadata.managedFields = managedFields as unknown[];
    }
    if (JSON.stringify(next) !== JSON.stringify(this.live)) this.writes++;
    this.live = this.#canonical(next);
    return printOwners(this.live);
  }
}

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: unknown;
}

function printOwners({ metadata }: ResourceObject): Outcome {
  return ((metadata.managedFields ?? []) as Entry[])
    .map((entry) => `${printOwner(entry)}: ${printFields(FieldSet.parse(entry.fieldsV1))}`)
    .join('; ');
}

function printOwner({ manager, operation, subresource, time }: Entry): string {
  const suffix = subresource === undefined ? '' : `/${subresource}`;
  return `${manager}${operation === 'Update' ? '*' : ''}${suffix}${time === undefined ? '?' : ''}`;
}

function printFields(fields: FieldSet): string {
  return fields.paths().map(printPath).join(' ');
}

function printConflicts(conflicts: Parameters<typeof describeConflicts>[0]): Outcome {
  expect(describeConflicts(conflicts).causes.length).toBeGreaterThan(0);
  const texts = conflicts.map(({ owner, fields }) => {
    const { manager, operation, subresource } = owner;
    const entry = { manager, operation, time: 'x', ...(subresource !== '' && { subresource }) };
    return `${printOwner(entry)}: ${printFields(fields)}`;
  });
  return `conflict ${texts.sort().join('; ')}`;
}
