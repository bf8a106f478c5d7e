import { invalidValue } from '../../../meta/field-error.ts';
import { listOf } from '../../../schema/builders.ts';
import { internalValue } from '../../validation/internal-value.ts';
import type { PodSpec } from '../pod-types.ts';
import { type NodeAffinity, NodeSelectorTerm } from '../scheduling-types.ts';
import type { Errors } from './field-checks.ts';
import { isSemanticallyEqual } from './semantic-equality.ts';

const termsField = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

/**
 * While a pod has scheduling gates, its node selection may become narrower. Resets the fields that may change to their
 * old values in `next`, so that the caller can compare the rest.
 */
export function validateGatedChanges(next: PodSpec, oldSpec: PodSpec, errors: Errors): void {
  if (!isSemanticallyEqual(next.nodeSelector, oldSpec.nodeSelector)) {
    validateNodeSelector(next.nodeSelector ?? {}, oldSpec.nodeSelector ?? {}, errors);
    next.nodeSelector = oldSpec.nodeSelector;
  }
  const affinity = next.affinity?.nodeAffinity;
  const previous = oldSpec.affinity?.nodeAffinity;
  if (isSemanticallyEqual(affinity, previous)) return;
  validateNodeAffinity(affinity, previous, errors);
  const { nodeAffinity: _nodeAffinity, ...others } = next.affinity ?? {};
  const hasOthers = Object.values(others).some((other) => other !== undefined);
  next.affinity =
    hasOthers || oldSpec.affinity !== undefined
      ? { ...others, ...(previous && { nodeAffinity: previous }) }
      : undefined;
}

function validateNodeSelector(next: Record<string, string>, old: Record<string, string>, errors: Errors): void {
  for (const key in old) {
    if (next[key] === old[key]) continue;
    const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    errors.push(invalidValue('spec.nodeSelector', next, detail));
    return;
  }
}

function validateNodeAffinity(
  next: NodeAffinity | undefined,
  oldAffinity: NodeAffinity | undefined,
  errors: Errors,
): void {
  const required = oldAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined) return;
  const old = required.nodeSelectorTerms ?? [];
  const terms = next?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (old.length > 0 && old.length !== terms.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    errors.push(invalidValue(termsField, internalValue(listOf(NodeSelectorTerm), terms), detail));
    return;
  }
  for (const [index, term] of old.entries()) {
    if (isNarrowed(terms[index]!, term)) continue;
    const detail = 'only additions are allowed (no mutations or deletions)';
    errors.push(invalidValue(`${termsField}[${index}]`, internalValue(NodeSelectorTerm, terms[index]), detail));
  }
}

/** An empty term matches no node, so adding requirements to it would widen the selection. */
function isNarrowed(next: NodeSelectorTerm, oldTerm: NodeSelectorTerm): boolean {
  const { matchExpressions: expressions = [], matchFields: fields = [] } = oldTerm;
  const { matchExpressions: newExpressions = [], matchFields: newFields = [] } = next;
  if (expressions.length === 0 && fields.length === 0) return newExpressions.length === 0 && newFields.length === 0;
  return startsWith(newExpressions, expressions) && startsWith(newFields, fields);
}

function startsWith(list: readonly unknown[], start: readonly unknown[]): boolean {
  return list.length >= start.length && start.every((element, index) => isSemanticallyEqual(element, list[index]));
}
