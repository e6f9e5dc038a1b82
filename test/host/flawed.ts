/** A flow with findings of several kinds, some after characters of more than one byte. */
export const FLAWED = `entry: greet
context_variables:
  plan: {type: string, enum_values: [basic, basic]}
nodes:
  greet:
    type: mesage
    instructions: Größe 🙂 of {{acount_id}}
    edges:
      - to: nowhere
  look_up: {type: tool, edges: [{to: greet}]}
`;
