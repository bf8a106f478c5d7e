import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { LabelSelector } from '../../schema/meta-types.ts';
import type { MutatingAdmissionPolicy } from '../admissionregistration/mutating-policy-types.ts';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../admissionregistration/validating-policy-types.ts';
import { age } from './ages.ts';
import {
  mutatingPolicyDefinitions,
  policyBindingDefinitions,
  validatingPolicyDefinitions,
  webhookConfigurationDefinitions,
} from './definitions/admissionregistration.ts';
import { messageText } from './message-text.ts';

const webhookConfiguration: TableColumns = {
  definitions: webhookConfigurationDefinitions,
  cells(object, now) {
    const { metadata, webhooks } = object as ResourceObject & { webhooks?: readonly unknown[] };
    return [metadata.name ?? '', webhooks?.length ?? 0, age(object, now)];
  },
};

const validatingPolicy: TableColumns = {
  definitions: validatingPolicyDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as ValidatingAdmissionPolicy;
    return [metadata.name ?? '', spec?.validations?.length ?? 0, paramKindText(object), age(object, now)];
  },
};

const mutatingPolicy: TableColumns = {
  definitions: mutatingPolicyDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as MutatingAdmissionPolicy;
    return [metadata.name ?? '', spec?.mutations?.length ?? 0, paramKindText(object), age(object, now)];
  },
};

function paramKindText({ spec }: MutatingAdmissionPolicy | ValidatingAdmissionPolicy): string {
  if (spec?.paramKind === undefined) return '<unset>';
  const { apiVersion = '', kind = '' } = spec.paramKind;
  return apiVersion === '' ? kind : `${apiVersion}/${kind}`;
}

const policyBinding: TableColumns = {
  definitions: policyBindingDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as ValidatingAdmissionPolicyBinding;
    return [metadata.name ?? '', spec?.policyName ?? '', paramRefText(object), age(object, now)];
  },
};

function paramRefText({ spec }: ValidatingAdmissionPolicyBinding): string {
  const { name, namespace, selector } = spec?.paramRef ?? {};
  if (name) return `${namespace || '*'}/${name}`;
  return selector === undefined ? '<unset>' : `&${messageText(LabelSelector, selector)}`;
}

export const admissionregistrationColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', webhookConfiguration],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', webhookConfiguration],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicy', validatingPolicy],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding', policyBinding],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicy', mutatingPolicy],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicyBinding', policyBinding],
]);
