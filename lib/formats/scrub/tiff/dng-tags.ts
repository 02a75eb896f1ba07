/**
 * Tags of the DNG specification 1.7 (chapters 2 to 6) that define how the sensor data becomes a picture.
 * Not among them: those that name the camera, its owner, its serial number, its lens, software, dates and
 * other files, and the private data of the maker, which a DNG reader does not need.
 */
export const dngTags: ReadonlySet<number> = new Set([
  // The color filter array.
  33_421, 33_422, 50_710, 50_711,
  // Version of the format.
  50_706, 50_707,
  // Linearization, levels and the area of the picture.
  50_712, 50_713, 50_714, 50_715, 50_716, 50_717, 50_718, 50_719, 50_720, 50_829, 50_830, 51_089,
  51_090, 51_091, 51_125,
  // Color: matrices, calibration, white balance. Those of the third illuminant are far from the others.
  50_721,
  50_722, 50_723, 50_724, 50_725, 50_726, 50_727, 50_728, 50_729, 50_778, 50_779, 50_831, 50_832,
  50_833, 50_834, 50_879, 50_931, 50_932, 50_964, 50_965, 52_529, 52_530, 52_531, 52_532, 52_533,
  52_534, 52_535, 52_538, 53_535,
  // Hints for rendering.
  50_730, 50_731, 50_732, 50_733, 50_734, 50_737, 50_738, 50_739, 50_780, 50_935, 51_041, 51_109,
  51_110, 51_112,
  // The camera profile, which is chosen by its name.
  50_934, 50_936, 50_937, 50_938, 50_939, 50_940, 50_941, 50_981, 50_982, 51_107, 51_108, 52_525,
  52_537, 52_543, 52_544, 52_551,
  // Storage of the data, and its check sums.
  50_970, 50_972, 50_974, 50_975, 51_111, 52_547, 52_553, 52_554, 52_555,
  // Corrections of the lens and the sensor.
  51_008, 51_009, 51_022,
  // Depth maps and masks.
  51_177, 51_178, 51_179, 51_180, 51_181, 52_526, 52_536,
]);

export const dngVersion = 50_706;
/** Further profiles: structures like a TIFF, with the name of the camera, at offsets of their own. */
export const extraCameraProfiles = 50_933;
