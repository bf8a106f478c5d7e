import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { dns1035LabelErrors, dnsSubdomainErrors, type NameCheck, pathSegmentErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { keepMetadata } from '../admissionregistration/keep-metadata.ts';
import { validatePort } from '../admissionregistration/webhook-client-validation.ts';
import type { APIServiceSpec } from './api-service-types.ts';

const conditionStatuses = ['True', 'False', 'Unknown'];

export const apiServiceRules: Partial<ResourceRules> = {
  name: 'pathSegment',
  nameOf: (object) => serviceName(specOf(object)),
  updateChecks: ['metadataChange', 'metadata', 'object'],
  finalizers: 'any',

  setDefaults(object) {
    const { service } = specOf(object);
    if (service !== undefined) service.port ??= 443;
  },

  /** A local APIService is available from the start, because this server serves it. */
  prepareCreate(object) {
    if (specOf(object).service !== undefined) return;
    const available = {
      type: 'Available',
      status: 'True',
      lastTransitionTime: object.metadata.creationTimestamp,
      reason: 'Local',
      message: 'Local APIServices are always available',
    };
    object.status = { conditions: [available] };
  },

  prepareStatusUpdate: keepMetadata,

  validate(object) {
    const spec = specOf(object);
    const errors: FieldError[] = [];
    validateGroupVersion(spec, errors);
    validateBackend(spec, errors);
    return errors;
  },

  validateStatus(next) {
    const { conditions = [] } = (next.status ?? {}) as { conditions?: readonly { status?: string }[] };
    return conditions.flatMap(({ status = '' }, index) =>
      conditionStatuses.includes(status)
        ? []
        : [notSupportedValue(`status.conditions[${index}].status`, status, conditionStatuses)],
    );
  },
};

function specOf(object: ResourceObject): APIServiceSpec {
  return (object.spec ?? {}) as APIServiceSpec;
}

/** The name must also be `<version>.<group>` of the spec. */
function serviceName({ group = '', version = '' }: APIServiceSpec): NameCheck {
  const required = `${version}.${group}`;
  const detail = `must be \`spec.version+"."+spec.group\`: ${goQuote(required)}`;
  return (name) => {
    const errors = pathSegmentErrors(name);
    return errors.length > 0 || name === required ? errors : [detail];
  };
}

function validateGroupVersion(spec: APIServiceSpec, errors: FieldError[]): void {
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0 } = spec;
  if (group === '' && version !== 'v1') {
    errors.push(requiredValue('spec.group', 'only v1 may have an empty group and it better be legacy kube'));
  }
  if (group !== '') {
    for (const detail of dnsSubdomainErrors(group)) errors.push(invalidValue('spec.group', group, detail));
  }
  for (const detail of dns1035LabelErrors(version)) errors.push(invalidValue('spec.version', version, detail));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20000) {
    const detail = 'must be positive and less than 20000';
    errors.push(invalidValue('spec.groupPriorityMinimum', groupPriorityMinimum, detail));
  }
  if (versionPriority <= 0 || versionPriority > 1000) {
    errors.push(invalidValue('spec.versionPriority', versionPriority, 'must be positive and less than 1000'));
  }
}

function validateBackend(
  { service, caBundle = '', insecureSkipTLSVerify }: APIServiceSpec,
  errors: FieldError[],
): void {
  const insecure = insecureSkipTLSVerify === true;
  if (service === undefined) {
    if (caBundle !== '') {
      const size = `${Buffer.byteLength(caBundle, 'base64')} bytes`;
      errors.push(invalidValue('spec.caBundle', size, 'local APIServices may not have a caBundle'));
    }
    if (insecure) {
      const detail = 'local APIServices may not have insecureSkipTLSVerify';
      errors.push(invalidValue('spec.insecureSkipTLSVerify', true, detail));
    }
    return;
  }
  if (!service.namespace) errors.push(requiredValue('spec.service.namespace'));
  if (!service.name) errors.push(requiredValue('spec.service.name'));
  validatePort(service.port, 'spec.service.port', errors);
  if (insecure && caBundle !== '') {
    errors.push(invalidValue('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'));
  }
}
