# What is known of ImageNet is compiled into the program: IMAGENET_TEXTS is the source file with it.
set(IMAGENET ${PROJECT_SOURCE_DIR}/resources/imagenet)
file(READ ${IMAGENET}/classes.tsv IMAGENET_CLASSES)
file(READ ${IMAGENET}/validation.tsv IMAGENET_VALIDATION)
file(READ ${IMAGENET}/corruptions.tsv IMAGENET_CORRUPTIONS)
set(IMAGENET_TEXTS ${CMAKE_CURRENT_BINARY_DIR}/imagenet_texts.cpp)
configure_file(${PROJECT_SOURCE_DIR}/core/data/dataset/imagenet_texts.cpp.in ${IMAGENET_TEXTS} @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${IMAGENET}/classes.tsv ${IMAGENET}/validation.tsv ${IMAGENET}/corruptions.tsv)
