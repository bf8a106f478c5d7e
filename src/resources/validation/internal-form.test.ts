import { describe, expect, it } from 'vitest';
import { PodTemplateSpec } from '../core/pod-types.ts';
import { FlowSchemaSpec } from '../flowcontrol/flow-schema-types.ts';
import { internalForm } from './internal-form.ts';

describe('internalForm', () => {
  it('shows empty fields under their Go names', () => {
    expect(JSON.stringify(internalForm(FlowSchemaSpec, { rules: [{ subjects: null, resourceRules: [{}] }] }))).toBe(
      '{"PriorityLevelConfiguration":{"Name":""},"MatchingPrecedence":0,"DistinguisherMethod":null,"Rules":[' +
        '{"Subjects":null,"ResourceRules":[{"Verbs":null,"APIGroups":null,"Resources":null,"ClusterScope":false,' +
        '"Namespaces":null}],"NonResourceRules":null}]}',
    );
  });

  it('shows the metadata of a template as JSON, and the host of a pod in its security context', () => {
    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'c', tty: true }], hostPID: true, securityContext: {}, hostUsers: false },
    };
    const form = internalForm(PodTemplateSpec, template) as { labels: object; Spec: Record<string, unknown> };
    expect(form.labels).toEqual({ a: 'b' });
    expect(form.Spec.Containers).toMatchObject([{ Name: 'c', Image: '', TTY: true, Env: null }]);
    expect(form.Spec.SecurityContext).toMatchObject({ HostNetwork: false, HostPID: true, HostUsers: false });
    expect(form.Spec).not.toHaveProperty('HostPID');
  });
});
