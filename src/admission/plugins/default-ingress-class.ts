import type { AdmissionPlugin } from '../admission-plugin.ts';
import { defaultClass } from './default-class.ts';

const ingressClasses = { group: 'networking.k8s.io', version: 'v1', resource: 'ingressclasses' };
const oldAnnotation = 'kubernetes.io/ingress.class';
const isDefault = 'ingressclass.kubernetes.io/is-default-class';

/** Sets the default class, if there is one, on ingresses without a class. */
export const defaultIngressClass: AdmissionPlugin = {
  name: 'DefaultIngressClass',
  rules: [{ operations: ['CREATE'], resources: ['networking.k8s.io/ingresses'] }],
  async mutate({ object }, objects) {
    const spec = (object.spec ?? {}) as { ingressClassName?: string };
    const named = spec.ingressClassName !== undefined || object.metadata.annotations?.[oldAnnotation] !== undefined;
    if (named) return;
    const ingressClassName = defaultClass(await objects.list(ingressClasses, ''), isDefault);
    if (ingressClassName !== undefined) object.spec = { ...spec, ingressClassName };
  },
};
