import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { jsonObjectProblem } from './json-object-problem.ts';

const avoidPods = 'scheduler.alpha.kubernetes.io/preferAvoidPods';

/** Validates the preferAvoidPods annotation, the only node annotation whose content is checked. */
export function validateNodeAnnotations(annotations: Readonly<Record<string, string>> | undefined): FieldError[] {
  const text = annotations?.[avoidPods];
  if (!text) return [];
  const problem = jsonObjectProblem(text)?.replace('map[string]interface {}', 'v1.AvoidPods');
  if (problem !== undefined) return [invalidValue('metadata.annotations.AvoidPods', avoidPods, problem)];
  const entries = child(JSON.parse(text), 'preferAvoidPods');
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry, index) => entryErrors(entry, `metadata.annotations.${avoidPods}[${index}]`));
}

function entryErrors(entry: unknown, path: string): FieldError[] {
  const owner = child(child(entry, 'podSignature'), 'podController');
  if (owner === undefined || owner === null) return [requiredValue(`${path}.PodSignature`)];
  if (child(owner, 'controller') !== false) return [];
  return [invalidValue(`${path}.PodSignature.PodController.Controller`, false, 'must point to a controller')];
}

function child(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
