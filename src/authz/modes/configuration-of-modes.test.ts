import { describe, expect, it } from 'vitest';
import { configurationOfModes } from './configuration-of-modes.ts';

const flags = { version: 'v1beta1', authorizedMs: 300_000, unauthorizedMs: 30_000, kubeConfigFile: undefined } as const;

describe('configurationOfModes', () => {
  it('keeps the order and fills in the webhook defaults', () => {
    expect(configurationOfModes(['Node', 'Webhook', 'RBAC'], { ...flags, kubeConfigFile: 'hook.conf' })).toEqual({
      authorizers: [
        { type: 'Node', name: 'node' },
        {
          type: 'Webhook',
          name: 'default',
          webhook: {
            kubeConfigFile: 'hook.conf',
            version: 'v1beta1',
            timeoutMs: 30_000,
            authorizedMs: 300_000,
            unauthorizedMs: 30_000,
            failurePolicy: 'NoOpinion',
            matchConditions: [],
          },
        },
        { type: 'RBAC', name: 'rbac' },
      ],
    });
  });

  it.each<[modes: string[], kubeConfigFile: string | undefined, problem: string]>([
    [[], undefined, 'at least one authorization-mode must be passed'],
    [['rbac'], undefined, 'authorization-mode "rbac" is not a valid mode'],
    [['Webhook'], undefined, "authorization-mode Webhook's authorization config file not passed"],
    [['RBAC'], 'x', 'cannot specify --authorization-webhook-config-file without mode Webhook'],
    [['RBAC', 'RBAC'], undefined, 'authorization-mode ["RBAC" "RBAC"] has mode specified more than once'],
  ])('refuses %j with %j', (modes, kubeConfigFile, problem) => {
    expect(() => configurationOfModes(modes, { ...flags, kubeConfigFile })).toThrow(new RangeError(problem));
  });
});
