"""driver.js 1.8.0 as released on npm (MIT, see driver-LICENSE.txt): the light and the bubble of tours."""
