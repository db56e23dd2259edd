# The installed library as the target urlsift::urlsift:
#
#   find_package(urlsift 0.1 REQUIRED)
#   target_link_libraries(your_program PRIVATE urlsift::urlsift)

# This file is in share/urlsift/cmake, below the prefix of the installation.
get_filename_component(_urlsift_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

find_path(urlsift_INCLUDE_DIR urlsift.h HINTS "${_urlsift_prefix}/include" NO_DEFAULT_PATH)
find_library(urlsift_LIBRARY urlsift NO_DEFAULT_PATH
  HINTS "${_urlsift_prefix}/lib/${CMAKE_LIBRARY_ARCHITECTURE}" "${_urlsift_prefix}/lib" "${_urlsift_prefix}/lib64")
mark_as_advanced(urlsift_INCLUDE_DIR urlsift_LIBRARY)

if(NOT urlsift_INCLUDE_DIR OR NOT urlsift_LIBRARY)
  set(urlsift_FOUND FALSE)
  set(urlsift_NOT_FOUND_MESSAGE "there is no liburlsift or urlsift.h below ${_urlsift_prefix}")
elseif(NOT TARGET urlsift::urlsift)
  add_library(urlsift::urlsift UNKNOWN IMPORTED)
  set_target_properties(urlsift::urlsift PROPERTIES
    IMPORTED_LOCATION "${urlsift_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${urlsift_INCLUDE_DIR}")
endif()
unset(_urlsift_prefix)
