import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn } from './column.ts';

export const webhookConfigurationDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Webhooks', 'Number of webhooks.', { type: 'integer' }),
  ageColumn,
];

export const validatingPolicyDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Validations', 'Number of validations.', { type: 'integer' }),
  column('ParamKind', 'Kind of the parameters.'),
  ageColumn,
];

export const mutatingPolicyDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Mutations', 'Number of mutations.', { type: 'integer' }),
  column('ParamKind', 'Kind of the parameters.'),
  ageColumn,
];

export const policyBindingDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('PolicyName', 'The policy that is put into effect.'),
  column('ParamRef', 'The parameters of the policy.'),
  ageColumn,
];
