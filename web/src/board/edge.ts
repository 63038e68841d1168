/** Half the width of a drawn board, in radii of the outer double wire. */
export const EDGE = 1.25;
