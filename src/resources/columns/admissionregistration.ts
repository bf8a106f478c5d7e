import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { LabelSelector } from '../../schema/meta-types.ts';
import { age } from './ages.ts';
import {
  mutatingPolicyDefinitions,
  policyBindingDefinitions,
  validatingPolicyDefinitions,
  webhookConfigurationDefinitions,
} from './definitions/admissionregistration.ts';
import type { LabelSelectorValue } from './label-texts.ts';
import { messageText } from './message-text.ts';

const webhookConfiguration: TableColumns = {
  definitions: webhookConfigurationDefinitions,
  cells(object, now) {
    const { metadata, webhooks } = object as ResourceObject & { webhooks?: readonly unknown[] };
    return [metadata.name ?? '', webhooks?.length ?? 0, age(object, now)];
  },
};

interface Policy extends ResourceObject {
  readonly spec?: {
    readonly validations?: readonly unknown[];
    readonly mutations?: readonly unknown[];
    readonly paramKind?: { readonly apiVersion?: string; readonly kind?: string };
  };
}

const validatingPolicy: TableColumns = {
  definitions: validatingPolicyDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as Policy;
    return [metadata.name ?? '', spec?.validations?.length ?? 0, paramKindText(object), age(object, now)];
  },
};

const mutatingPolicy: TableColumns = {
  definitions: mutatingPolicyDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as Policy;
    return [metadata.name ?? '', spec?.mutations?.length ?? 0, paramKindText(object), age(object, now)];
  },
};

function paramKindText({ spec }: Policy): string {
  if (spec?.paramKind === undefined) return '<unset>';
  const { apiVersion = '', kind = '' } = spec.paramKind;
  return apiVersion === '' ? kind : `${apiVersion}/${kind}`;
}

interface PolicyBinding extends ResourceObject {
  readonly spec?: {
    readonly policyName?: string;
    readonly paramRef?: {
      readonly name?: string;
      readonly namespace?: string;
      readonly selector?: LabelSelectorValue;
    };
  };
}

const policyBinding: TableColumns = {
  definitions: policyBindingDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as PolicyBinding;
    return [metadata.name ?? '', spec?.policyName ?? '', paramRefText(object), age(object, now)];
  },
};

function paramRefText({ spec }: PolicyBinding): string {
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
