import './round-trip.test.ts';
