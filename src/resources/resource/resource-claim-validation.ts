import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import type { Steps } from '../../meta/turns.ts';
import { validateFullyQualifiedName, validateLabelName } from './device-names.ts';
import {
  maxConfigurations,
  selectorExpressions,
  validateConfiguration,
  validateRequirement,
} from './device-request-validation.ts';
import { checkSelectors, type SelectorErrors } from './device-selectors.ts';
import { validateEach, validateSet } from './list-checks.ts';
import type { DeviceClaim, DeviceConstraint, DeviceRequest, ResourceClaimSpec } from './resource-claim-types.ts';

const maxRequests = 32;
const maxConstraints = 32;
const maxChoices = 8;

export function* validateClaimSpec({ devices = {} }: ResourceClaimSpec, field: string): Steps<FieldError[]> {
  const at = `${field}.devices`;
  const names = requestNames(devices);
  const selectorErrors = yield* checkSelectors(expressionsOf(devices));
  return [
    ...validateSet(devices.requests, `${at}.requests`, {
      maximum: maxRequests,
      check: (request, path) => validateDeviceRequest(request, path, selectorErrors),
      key: ({ name = '' }) => name,
    }),
    ...validateEach(devices.constraints, `${at}.constraints`, {
      maximum: maxConstraints,
      check: (constraint, path) => validateConstraint(constraint, path, names),
    }),
    ...validateEach(devices.config, `${at}.config`, {
      maximum: maxConfigurations,
      check: (config, path) => [
        ...validateRequestReferences(config.requests, `${path}.requests`, names),
        ...validateConfiguration(config, path),
      ],
    }),
  ];
}

function* expressionsOf({ requests }: DeviceClaim): Iterable<string> {
  if (requests === undefined || requests === null || requests.length > maxRequests) return;
  for (const { exactly, firstAvailable = [] } of requests) {
    yield* selectorExpressions(exactly?.selectors);
    if (firstAvailable.length > maxChoices) continue;
    for (const { selectors } of firstAvailable) yield* selectorExpressions(selectors);
  }
}

function validateDeviceRequest(
  { name = '', exactly, firstAvailable = [] }: DeviceRequest,
  field: string,
  selectorErrors: SelectorErrors,
): FieldError[] {
  const errors = validateLabelName(name, `${field}.name`);
  const rule = 'exactly one of `exactly` or `firstAvailable` is required';
  if (exactly !== undefined && firstAvailable.length > 0) {
    errors.push(invalidValue(field, null, `${rule}, but multiple fields are set`));
  } else if (exactly !== undefined) {
    errors.push(...validateRequirement(exactly, `${field}.exactly`, selectorErrors));
  } else if (firstAvailable.length === 0) errors.push(requiredValue(field, rule));
  else {
    errors.push(
      ...validateSet(firstAvailable, `${field}.firstAvailable`, {
        maximum: maxChoices,
        check: (choice, at) => [
          ...validateLabelName(choice.name ?? '', `${at}.name`),
          ...validateRequirement(choice, at, selectorErrors),
        ],
        key: (choice) => choice.name ?? '',
      }),
    );
  }
  return errors;
}

function validateConstraint(
  { requests, matchAttribute, distinctAttribute }: DeviceConstraint,
  field: string,
  names: RequestNames,
): FieldError[] {
  const errors = validateRequestReferences(requests, `${field}.requests`, names);
  if (matchAttribute !== undefined) {
    errors.push(...validateFullyQualifiedName(matchAttribute, `${field}.matchAttribute`));
  } else if (distinctAttribute !== undefined) {
    errors.push(...validateFullyQualifiedName(distinctAttribute, `${field}.distinctAttribute`));
  } else {
    // kube-apiserver has the same message, although it describes the opposite case.
    const detail = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
    errors.push(requiredValue(field, detail));
  }
  return errors;
}

/** The request names of a claim, each with the names of its alternatives. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

export function requestNames({ requests }: DeviceClaim): RequestNames {
  return new Map(
    (requests ?? []).map(({ name = '', firstAvailable = [] }) => [
      name,
      new Set(firstAvailable.map((choice) => choice.name ?? '')),
    ]),
  );
}

export function validateRequestReferences(
  references: readonly string[] | undefined,
  field: string,
  names: RequestNames,
): FieldError[] {
  return validateSet(references, field, {
    maximum: maxRequests,
    check: (reference, at) => validateRequestReference(reference, at, names),
    key: (reference) => reference,
  });
}

export function validateRequestReference(reference: string, field: string, names: RequestNames): FieldError[] {
  const detail =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const [request = '', choice, ...more] = reference.split('/');
  if (more.length > 0) return [invalidValue(field, reference, detail)];
  const errors = validateLabelName(request, field);
  if (choice !== undefined) errors.push(...validateLabelName(choice, field));
  const choices = names.get(request);
  if (choices === undefined || (choice !== undefined && !choices.has(choice))) {
    errors.push(invalidValue(field, reference, detail));
  }
  return errors;
}
