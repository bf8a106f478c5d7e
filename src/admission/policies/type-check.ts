import type { CelType } from '../../cel/index.ts';
import { parseApiVersion } from '../../meta/group-version.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { Turn } from '../../meta/turns.ts';
import type { GroupVersionKind } from '../admission-request.ts';
import { Composition, compileAdmissionExpression } from '../expressions/index.ts';
import type { MatchConstraints, MatchRule } from '../matching/index.ts';

/** Finds the types of the objects of the kinds that are served at present. */
export interface ServedTypes {
  byResource(resource: { group: string; version: string; resource: string }): ServedType | undefined;
  byKind(kind: GroupVersionKind): ServedType | undefined;
}

export interface ServedType {
  readonly kind: GroupVersionKind;
  /** The type of its objects in expressions. */
  readonly type: CelType;
}

interface CheckedSpec {
  readonly paramKind?: { readonly apiVersion?: string; readonly kind?: string };
  readonly matchConstraints?: MatchConstraints;
  readonly variables?: readonly { readonly name?: string; readonly expression?: string }[];
  readonly validations?: readonly { readonly expression?: string; readonly messageExpression?: string }[];
}

interface TypeWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** The maximum number of kinds that are checked. */
const maxKinds = 10;

/**
 * Checks the validations of a policy against the types of the objects that it is for. Only rules that name their types
 * count. A mistake does not keep the policy from being in force: the field may be missing in one of the kinds only.
 */
export async function checkPolicyTypes(policy: ResourceObject, served: ServedTypes): Promise<TypeWarning[]> {
  const spec = (policy.spec ?? {}) as CheckedSpec;
  const turn = new Turn();
  const checks: TypeCheck[] = [];
  const params = paramsOf(spec, served);
  for (const { kind, type } of kindsOf(spec.matchConstraints?.resourceRules ?? [], served)) {
    const composition = new Composition({ hasParams: params !== undefined, types: { object: type, params } });
    for (const { name = '', expression = '' } of spec.variables ?? []) {
      if (turn.isOver) await turn.next();
      composition.declare(name, expression);
    }
    checks.push({ kind: kindText(kind), environment: composition.environment({ hasAuthorizer: true }) });
  }
  const warnings: TypeWarning[] = [];
  for (const { text, fieldRef } of expressionsOf(spec)) {
    const problems: string[] = [];
    for (const { kind, environment } of checks) {
      if (turn.isOver) await turn.next();
      const { problem, isTyped } = compileAdmissionExpression(text, { environment });
      if (problem === undefined || isTyped) continue;
      problems.push(`${kind}: ${problem.replace(/^compilation failed: /, '')}\n`);
    }
    if (problems.length > 0) warnings.push({ fieldRef, warning: problems.join('\n') });
  }
  return warnings;
}

/** The variables of the expressions for an object of the kind. */
interface TypeCheck {
  readonly kind: string;
  readonly environment: Readonly<Record<string, CelType>>;
}

function* expressionsOf({ validations = [] }: CheckedSpec) {
  for (const [index, { expression = '', messageExpression = '' }] of validations.entries()) {
    const fieldRef = `spec.validations[${index}]`;
    yield { text: expression, fieldRef: `${fieldRef}.expression` };
    if (messageExpression !== '') yield { text: messageExpression, fieldRef: `${fieldRef}.messageExpression` };
  }
}

function kindText({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

function paramsOf({ paramKind }: CheckedSpec, served: ServedTypes): CelType | undefined {
  if (paramKind === undefined) return undefined;
  const { apiVersion = '', kind = '' } = paramKind;
  return served.byKind({ ...parseApiVersion(apiVersion), kind })?.type;
}

/** In the order of their names. */
function kindsOf(rules: readonly MatchRule[], served: ServedTypes): ServedType[] {
  const found = new Map<string, ServedType>();
  for (const resource of namedResources(rules)) {
    const kind = served.byResource(resource);
    if (kind !== undefined) found.set(kindText(kind.kind), kind);
    if (found.size === maxKinds) break;
  }
  return [...found.values()].sort(({ kind: left }, { kind: right }) => compareKinds(left, right));
}

function compareKinds(left: GroupVersionKind, right: GroupVersionKind): number {
  const [mine, other] = [left, right].map(({ group, version, kind }) => [group, version, kind].join('\0'));
  return mine! < other! ? -1 : 1;
}

/**
 * Yields resources from the rules with explicit groups and versions. Patterns of resources and subresources are
 * skipped.
 */
function* namedResources(rules: readonly MatchRule[]) {
  const isPattern = (name: string): boolean => name.includes('*');
  for (const { apiGroups = [], apiVersions = [], resources = [] } of rules) {
    if (apiGroups.some(isPattern) || apiVersions.some(isPattern)) continue;
    const named = resources.filter((name) => !isPattern(name) && !name.includes('/')).toSorted();
    for (const group of apiGroups.toSorted()) {
      for (const version of apiVersions.toSorted()) {
        for (const resource of named) yield { group, version, resource };
      }
    }
  }
}
