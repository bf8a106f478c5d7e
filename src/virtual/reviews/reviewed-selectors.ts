import {
  fieldRequirements,
  labelRequirements,
  type RequestedSelectors,
  type SelectorRequirement,
} from '../../authz/index.ts';
import { parseFieldSelector } from '../../meta/field-selector.ts';
import { parseLabelSelector } from '../../meta/label-selector.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { FieldSelectorAttributes, ResourceAttributes } from '../../resources/authorization/access-review-types.ts';
import type { LabelSelectorRequirement } from '../../schema/meta-types.ts';

export interface ReviewedSelectors {
  readonly selectors: RequestedSelectors;
  /**
   * Parts of the selectors that were ignored because they cannot be parsed. The review then covers more objects, so
   * nothing is allowed by mistake.
   */
  readonly ignored: readonly string[];
}

/** The selectors of the request that the review describes. */
export function reviewedSelectors({ fieldSelector, labelSelector }: ResourceAttributes): ReviewedSelectors {
  const fields = requirementsOf(fieldSelector, {
    parse: (text) => fieldRequirements(parseFieldSelector(text)),
    // A field selector in a query can only require or exclude one value.
    supports: ({ operator, values = [] }) => (operator === 'In' || operator === 'NotIn') && values.length === 1,
  });
  const labels = requirementsOf(labelSelector, {
    parse: (text) => labelRequirements(parseLabelSelector(text)),
    supports: ({ operator = '' }) => ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator),
  });
  return {
    selectors: {
      ...(fields.requirements.length > 0 && { fieldSelector: fields.requirements }),
      ...(labels.requirements.length > 0 && { labelSelector: labels.requirements }),
    },
    ignored: [...ignoredText('fieldSelector', fields), ...ignoredText('labelSelector', labels)],
  };
}

interface ReadRequirements {
  readonly requirements: readonly SelectorRequirement[];
  readonly hasUnreadable: boolean;
}

interface Reading {
  readonly parse: (text: string) => SelectorRequirement[];
  readonly supports: (requirement: LabelSelectorRequirement) => boolean;
}

function requirementsOf(selector: FieldSelectorAttributes | undefined, { parse, supports }: Reading): ReadRequirements {
  const { rawSelector = '', requirements = [] } = selector ?? {};
  if (rawSelector !== '') {
    try {
      return { requirements: parse(rawSelector), hasUnreadable: false };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { requirements: [], hasUnreadable: true };
    }
  }
  const supported = requirements.filter(supports) as SelectorRequirement[];
  return { requirements: supported, hasUnreadable: supported.length < requirements.length };
}

function ignoredText(field: string, { requirements, hasUnreadable }: ReadRequirements): string[] {
  if (!hasUnreadable) return [];
  const how = requirements.length > 0 ? 'partially ignored' : 'ignored';
  return [`spec.resourceAttributes.${field} ${how} due to parse error`];
}
