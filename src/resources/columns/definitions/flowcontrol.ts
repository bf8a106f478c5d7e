import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn } from './column.ts';

export const flowSchemaDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('PriorityLevel', 'The priority level of the requests.'),
  column('MatchingPrecedence', 'Among schemas that match a request the lowest number wins.'),
  column('DistinguisherMethod', 'How requests are divided into flows.'),
  ageColumn,
  column('MissingPL', 'Whether the priority level does not exist.'),
];

export const priorityLevelConfigurationDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Type', 'Exempt or Limited.'),
  column('NominalConcurrencyShares', 'Share of the capacity of the server.'),
  column('Queues', 'Number of queues.'),
  column('HandSize', 'Number of queues dealt to each flow.'),
  column('QueueLengthLimit', 'How many requests may wait in a queue.'),
  ageColumn,
];
