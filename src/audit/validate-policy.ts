import {
  type FieldError,
  fieldErrorText,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../meta/field-error.ts';
import { dnsSubdomainErrors } from '../meta/names.ts';
import { type GroupResources, levels, type PolicyDocument, type PolicyRule, stages } from './policy-document.ts';

/** Validates a decoded policy. Errors are in the order of its fields. */
export function policyErrors({ omitStages, rules }: PolicyDocument): string[] {
  return [
    ...stageErrors(omitStages, 'omitStages'),
    ...rules.flatMap((rule, index) => ruleErrors(rule, `rules[${index}]`)),
  ].map(fieldErrorText);
}

function ruleErrors(rule: PolicyRule, path: string): FieldError[] {
  const { level, nonResourceURLs, resources, namespaces, omitStages } = rule;
  const urls = `${path}.nonResourceURLs`;
  const errors = [
    ...levelErrors(level, `${path}.level`),
    ...urlErrors(nonResourceURLs, urls),
    ...resources.flatMap((each) => resourceErrors(each, `${path}.resources`)),
    ...stageErrors(omitStages, `${path}.omitStages`),
  ];
  if (nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0)) {
    const problem = 'rules cannot apply to both regular resources and non-resource URLs';
    errors.push(invalidValue(urls, nonResourceURLs, problem));
  }
  return errors;
}

function levelErrors(level: string, path: string): FieldError[] {
  if (level === '') return [requiredValue(path)];
  return (levels as readonly string[]).includes(level) ? [] : [notSupportedValue(path, level, levels)];
}

function urlErrors(urls: readonly string[], path: string): FieldError[] {
  return urls.flatMap((url, index) => {
    if (url === '*') return [];
    const at = `${path}[${index}]`;
    const errors: FieldError[] = [];
    if (!url.startsWith('/')) {
      errors.push(invalidValue(at, url, "non-resource URL rules must begin with a '/' character"));
    }
    if (url.slice(0, -1).includes('*')) {
      errors.push(invalidValue(at, url, "non-resource URL wildcards '*' must be the final character of the rule"));
    }
    return errors;
  });
}

function resourceErrors({ group, resources, resourceNames }: GroupResources, path: string): FieldError[] {
  const problems = group === '' ? [] : dnsSubdomainErrors(group);
  const errors = problems.length === 0 ? [] : [invalidValue(`${path}.group`, group, problems.join(','))];
  if (resourceNames.length > 0 && resources.length === 0) {
    const problem = 'using resourceNames requires at least one resource';
    errors.push(invalidValue(`${path}.resourceNames`, resourceNames, problem));
  }
  return errors;
}

function stageErrors(omitted: readonly string[], path: string): FieldError[] {
  return omitted.flatMap((stage, index) => {
    if ((stages as readonly string[]).includes(stage)) return [];
    return [invalidValue(`${path}[${index}]`, stage, `allowed stages are ${stages.join(',')}`)];
  });
}
