import {
  fieldRequirements,
  labelRequirements,
  type RequestedSelectors,
  type SelectorRequirement,
} from '../../../authz/index.ts';
import { parseFieldSelector } from '../../../meta/field-selector.ts';
import { parseLabelSelector } from '../../../meta/label-selector.ts';
import { StatusError } from '../../../meta/status-error.ts';
import type { ReviewedResource } from '../../../resources/authorization/access-review-validation.ts';
import type {
  ReviewedRequirement,
  SelectorAttributes,
} from '../../../resources/authorization/selector-attributes-validation.ts';

export interface ReviewedSelectors {
  readonly selectors: RequestedSelectors;
  /** What of the question was left out because it cannot be read. The rest asks for more, so that nobody is let in by it. */
  readonly ignored: readonly string[];
}

/** What a review says the request would be narrowed down to. */
export function reviewedSelectors({ fieldSelector, labelSelector }: ReviewedResource): ReviewedSelectors {
  const fields = requirementsOf(fieldSelector, {
    parse: (text) => fieldRequirements(parseFieldSelector(text)),
    // A field has to have one value or must not have it: no query can ask for more.
    understands: ({ operator, values = [] }) => (operator === 'In' || operator === 'NotIn') && values.length === 1,
  });
  const labels = requirementsOf(labelSelector, {
    parse: (text) => labelRequirements(parseLabelSelector(text)),
    understands: ({ operator = '' }) => ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator),
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
  readonly understands: (requirement: ReviewedRequirement) => boolean;
}

function requirementsOf(selector: SelectorAttributes | undefined, { parse, understands }: Reading): ReadRequirements {
  const { rawSelector = '', requirements = [] } = selector ?? {};
  if (rawSelector !== '') {
    try {
      return { requirements: parse(rawSelector), hasUnreadable: false };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { requirements: [], hasUnreadable: true };
    }
  }
  const understood = requirements.filter(understands) as SelectorRequirement[];
  return { requirements: understood, hasUnreadable: understood.length < requirements.length };
}

function ignoredText(field: string, { requirements, hasUnreadable }: ReadRequirements): string[] {
  if (!hasUnreadable) return [];
  const how = requirements.length > 0 ? 'partially ignored' : 'ignored';
  return [`spec.resourceAttributes.${field} ${how} due to parse error`];
}
