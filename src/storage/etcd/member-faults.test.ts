import { describeMemberFaults } from './member-faults.conformance.ts';

describeMemberFaults(['killed']);
