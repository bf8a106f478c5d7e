import type { JsonObject } from '../invariants/json.ts';
import { definitionOf, definitions, openSchema } from '../wire/custom-types.ts';
import type { Case, Step } from './case.ts';
import type { Scope } from './scope.ts';

export interface CustomType {
  readonly kind: string;
  readonly apiVersion: string;
  readonly collection: string;
  /** Creates the definition and waits until its objects are served. */
  readonly steps: readonly Step[];
}

/** How often a collection that is not served is asked for. */
const maxReads = 100;

/** A custom type whose group no other case has. */
export function customType({ word, namespace }: Scope, { version, kind }: TypeOptions): CustomType {
  const group = `${word}.example.com`;
  const singular = kind.toLowerCase();
  const definition = definitionOf({ singular, group, versions: [{ name: 'v1', ...version }] }) as unknown as JsonObject;
  const collection = `/apis/${group}/v1/namespaces/${namespace}/${singular}s`;
  const item = `${definitions}/${singular}s.${group}`;
  return {
    kind,
    apiVersion: `${group}/v1`,
    collection,
    steps: [
      { method: 'POST', path: definitions, body: definition, creates: definitions },
      // The status is written in the background. A refused definition has none.
      { method: 'GET', path: (answers) => (answers[0]!.status < 300 ? item : undefined), until: isEstablished },
      { method: 'GET', path: (answers) => (answers[0]!.status < 300 ? item : undefined) },
      { method: 'GET', path: (answers) => (answers[0]!.status < 300 ? collection : undefined), until: isServed() },
    ],
  };
}

interface TypeOptions {
  readonly kind: string;
  readonly version: JsonObject;
}

/** A version of a custom type whose spec has the schema. */
export function versionOf(spec: JsonObject, more: JsonObject = {}): JsonObject {
  const { properties } = openSchema.openAPIV3Schema;
  return { schema: { openAPIV3Schema: { type: 'object', properties: { ...properties, spec } } }, ...more };
}

/** The case of a custom type: its definition, then the steps with its objects. */
export function customCase({ namespace }: Scope, { kind, steps }: CustomType, others: readonly Step[]): Case {
  return { kind, namespace, steps: [...steps, ...others] };
}

function isEstablished({ body }: { readonly body: unknown }): boolean {
  const { status } = body as { status?: { conditions?: { type: string; status: string }[] } };
  const isSettled = ({ type, status: is }: { type: string; status: string }) =>
    (type === 'Established' && is === 'True') || (type === 'NamesAccepted' && is === 'False');
  return status?.conditions?.some(isSettled) ?? false;
}

function isServed(): (answer: { readonly status: number }) => boolean {
  let reads = 0;
  return ({ status }) => status !== 404 || ++reads >= maxReads;
}
